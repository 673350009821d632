#include "tools/prompts.h"

#include <string>
#include <utility>

#include "support/status.h"
#include "tools/resources.h"

namespace glasstty {
namespace {

// Returns the value of an argument, or "" if it was left out.
std::string Value(const mcp::StringMap& arguments, const char* name) {
  auto found = arguments.find(name);
  return found == arguments.end() ? "" : found->second;
}

// ---- drive_tui

// The arguments are: program, goal.
constexpr char kDriveTui[] =
    R"(Drive the full-screen program `%s` in a terminal of its own.
Goal: %s

How:
1. term_open with this command and a name. The reply is its first screen; focus="..." in the first line is what the program points at.
2. One step at a time: term_send with the keys, e.g. ["/pattern<Enter>"] or ["<Down*3>", "<Enter>"]. It waits until the program is ready again and shows what has changed on the screen.
3. Before a key that decides something, look at the cursor or at focus; if the screen is not clear to you, term_read mode=snapshot.
4. If something takes time: term_wait with until {"text": "..."}, {"gone": "..."} or {"quiet_s": 1}, instead of looking again and again.
5. At the end, quit the program in its own way, or term_close the session, and report what was done.)";

Task<absl::StatusOr<Json>> DriveTui(mcp::StringMap arguments) {
  std::string program = Value(arguments, "program");
  std::string goal = Value(arguments, "goal");
  if (program.empty()) co_return InvalidArgument("program must not be empty");
  if (goal.empty()) goal = "find out what it shows, and tell me.";
  Json messages = Json::array();
  messages.push_back(
      mcp::UserMessage(absl::StrFormat(kDriveTui, program, goal)));
  co_return messages;
}

// ---- watch_job

// The arguments are: job, what matters.
constexpr char kWatchJob[] = R"(Watch a long job in a terminal: %s
Look out for: %s

How:
1. If that is the name of a session (term_list), watch it there. Else start it with term_run in its own session; if it does not end in time, the reply says so, and it keeps running.
2. term_wait with until {"state": ["prompt", "exited", "input", "secret"], "regex": "(?i)error|failed|warning"}, adapted to what matters. A time-out is an answer: wait again, with a longer timeout_s. Do not poll with term_read.
3. When it asks something (input, secret), tell me rather than guess.
4. Report only what matters: milestones, errors with the lines around them (term_search), and at the end the exit status and how long it took.)";

Task<absl::StatusOr<Json>> WatchJob(mcp::StringMap arguments) {
  std::string job = Value(arguments, "job");
  std::string matter = Value(arguments, "look_for");
  if (job.empty()) co_return InvalidArgument("job must not be empty");
  if (matter.empty()) matter = "errors, warnings, questions, the end.";
  Json messages = Json::array();
  messages.push_back(mcp::UserMessage(absl::StrFormat(kWatchJob, job, matter)));
  co_return messages;
}

}  // namespace

std::vector<mcp::Prompt> AllPrompts(Workbench* bench) {
  mcp::Prompt drive;
  drive.name = "drive_tui";
  drive.title = "Drive a full-screen program";
  drive.description = "Use a program such as vim, htop or an installer.";
  drive.arguments = {
      {.name = "program",
       .description = "The command, e.g. htop.",
       .required = true},
      {.name = "goal", .description = "What to achieve with it."}};
  drive.get = [](mcp::ToolCall*, mcp::StringMap arguments) {
    return DriveTui(std::move(arguments));
  };

  mcp::Prompt watch;
  watch.name = "watch_job";
  watch.title = "Watch a long job";
  watch.description = "Run or follow a build, a test run or a server.";
  watch.arguments = {
      {.name = "job",
       .description = "A command, or the session in which it runs.",
       .required = true,
       .complete =
           [bench](const std::string& typed, const mcp::StringMap&) {
             return CompleteSession(bench, typed);
           }},
      {.name = "look_for", .description = "What matters."}};
  watch.get = [](mcp::ToolCall*, mcp::StringMap arguments) {
    return WatchJob(std::move(arguments));
  };
  return {drive, watch};
}

}  // namespace glasstty

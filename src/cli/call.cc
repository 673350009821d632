// `glasstty call` and its short forms: one tool call on the shared server, for
// people and for agents that have only a shell.
//
// The output of the tool goes to stdout. Its first line, which gives the
// session's state, goes to stderr, as do refusals. The exit status is one of
// exit_status.h, or that of the command that was run.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/call_arguments.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/shared_call.h"
#include "cli/shell_words.h"
#include "cli/tool_commands.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/introduction.h"

namespace glasstty {
namespace {

// A command line that has been read, and what it calls.
struct Call {
  const CommandRow* command;
  const mcp::Tool* tool;
  CallWords words;

  bool Has(const std::string& flag) const { return words.flags.contains(flag); }
};

// Returns whether the wait is for the end of the program, among other things.
bool WaitsForExit(const Json& arguments) {
  const Json* until = FindMember(arguments, "until");
  const Json* state = until == nullptr ? nullptr : FindMember(*until, "state");
  if (state == nullptr) return false;
  if (state->is_string()) return *state == "exited";
  return std::find(state->begin(), state->end(), Json("exited")) !=
         state->end();
}

// The status that a reason for the end of a call gives.
struct ReasonRow {
  std::string_view reason;
  ExitStatus status;
};

// A script must not go on as if a command had succeeded of which nobody knows.
int KnownStatus(const CallAnswer& answer) {
  return answer.exit.value_or(static_cast<int>(ExitStatus::kUnknown));
}

int StatusOfWait(const Call& call, const CallAnswer& answer) {
  constexpr ReasonRow kRows[] = {{"timeout", ExitStatus::kTimedOut},
                                 {"stopped", ExitStatus::kStopped},
                                 {"closed", ExitStatus::kEndedWithoutIt},
                                 {"cancelled", ExitStatus::kEndedWithoutIt}};
  for (const ReasonRow& row : kRows) {
    if (answer.reason == row.reason) return static_cast<int>(row.status);
  }
  if (answer.reason != "exited") {
    return static_cast<int>(answer.held ? ExitStatus::kDone
                                        : ExitStatus::kEndedWithoutIt);
  }
  if (!WaitsForExit(call.words.arguments)) {
    return static_cast<int>(ExitStatus::kEndedWithoutIt);
  }
  return call.Has("exit-status") ? KnownStatus(answer) : 0;
}

int StatusOfRun(const CallAnswer& answer) {
  constexpr std::string_view kEnds[] = {"", "prompt", "exited", "closed",
                                        "cancelled"};
  bool has_ended = std::find(std::begin(kEnds), std::end(kEnds),
                             answer.reason) != std::end(kEnds);
  return has_ended ? KnownStatus(answer)
                   : static_cast<int>(ExitStatus::kTimedOut);
}

int StatusOf(const Call& call, const CallAnswer& answer) {
  if (answer.refused) {
    bool misused = answer.failure == "INVALID_ARGUMENT";
    return static_cast<int>(misused ? ExitStatus::kMisused
                                    : ExitStatus::kRefused);
  }
  if (call.tool->name == "term_wait") return StatusOfWait(call, answer);
  return call.tool->name == "term_run" ? StatusOfRun(answer) : 0;
}

// Prints what the tool answered: its facts as JSON, or its text, with what is
// about the call itself on stderr.
void PrintAnswer(const Call& call, const CallAnswer& answer) {
  bool quiet = call.Has("q");
  if (call.Has("json") && !answer.refused) {
    Json facts = answer.structured;
    if (facts.is_null()) facts = {{"text", answer.text}};
    return Print("%s\n", DumpJson(facts));
  }
  // A list is nothing but lines about sessions.
  bool has_header = call.tool->name != "term_list" && !answer.refused;
  size_t begin = has_header ? answer.text.find('\n') + 1 : 0;
  std::string about =
      answer.refused ? answer.text : answer.text.substr(0, begin);
  if (!quiet) PrintShown(stderr, InShellWords(about));
  if (answer.refused) return;
  const std::string body = answer.text.substr(begin);
  bool lists = !has_header || call.tool->name == "term_search";
  PrintShown(stdout, lists ? ListInShellWords(body) : body);
}

// ---- events

// Without a limit, the next event is asked for again after this time.
constexpr double kEventCall_s = 3600;
// A server that has died is replaced within this many pauses.
constexpr int kMostMisses = 10;
constexpr int kMissPauseMs = 300;

void PauseBriefly() {
  // Without a descriptor, poll(2) waits for the time alone.
  pollfd nothing{-1, 0, 0};
  poll(&nothing, 1, kMissPauseMs);
}

// Asks for the next event: on behalf of the agent that has started this
// process, if there is one, so that it is not woken by what it has seen.
class EventSource {
 public:
  explicit EventSource(const Call& call) : call_(call) {
    const char* name = std::getenv("GLASSTTY_CLIENT");
    is_agents_ = name == nullptr || *name == '\0';
  }

  absl::StatusOr<CallAnswer> Next(Json arguments) {
    absl::StatusOr<CallAnswer> answer;
    for (int misses = 0; misses <= kMostMisses; ++misses) {
      if (misses > 0) PauseBriefly();
      answer = is_agents_ ? CallForAgent(call_.tool->name, arguments)
                          : CallTool(*call_.tool, arguments);
      bool is_nobodys = is_agents_ && !is_known_ &&
                        (!answer.ok() || answer->failure == "UNAVAILABLE");
      if (is_nobodys) {
        is_agents_ = false;
        answer = CallTool(*call_.tool, arguments);
      }
      bool is_away = !answer.ok() || answer->failure == "UNAVAILABLE";
      if (!is_away) break;
    }
    is_known_ = answer.ok();
    return answer;
  }

 private:
  const Call& call_;
  bool is_agents_ = true;
  bool is_known_ = false;  // there has been an answer
};

bool WaitsForEvent(const Call& call) {
  const Json* until = FindMember(call.words.arguments, "until");
  const Json* event = until == nullptr ? nullptr : FindMember(*until, "event");
  return event != nullptr && *event == true;
}

// Everything goes to stdout: who is woken by it reads no more.
int RunEvents(const Call& call) {
  Json arguments = call.words.arguments;
  bool is_limited = FindMember(arguments, "timeout_s") != nullptr;
  if (!is_limited) arguments["timeout_s"] = kEventCall_s;
  EventSource source(call);
  while (true) {
    auto answer = source.Next(arguments);
    if (!answer.ok()) {
      Report(*call.command, answer.status());
      return static_cast<int>(ExitStatus::kNoServer);
    }
    if (answer->reason == "timeout" && !is_limited) continue;
    if (answer->reason != "event") {
      if (!call.Has("q")) PrintShown(stderr, InShellWords(answer->text));
      return StatusOf(call, *answer);
    }
    PrintShown(stdout, answer->text);
    std::fflush(stdout);
    if (!call.Has("follow")) return static_cast<int>(ExitStatus::kDone);
  }
}

int RunOnce(const Call& call) {
  auto answer = CallTool(*call.tool, call.words.arguments);
  if (!answer.ok()) {
    Report(*call.command, answer.status());
    return static_cast<int>(ExitStatus::kNoServer);
  }
  PrintAnswer(call, *answer);
  return StatusOf(call, *answer);
}

int Run(const Call& call) {
  int status = WaitsForEvent(call) ? RunEvents(call) : RunOnce(call);
  auto then = call.words.flags.find("exec");
  if (status != 0 || then == call.words.flags.end()) return status;
  std::fflush(nullptr);
  execl("/bin/sh", "sh", "-c", then->second.c_str(), nullptr);
  PrintError("glasstty %s: cannot start /bin/sh: %s\n", call.command->name,
             Message(ErrnoStatus("start", "/bin/sh")));
  return static_cast<int>(ExitStatus::kRefused);
}

// `change` changes the arguments that were read.
int CallWith(const CommandRow& command, const mcp::Tool& tool,
             const WordRules& rules, const std::vector<std::string>& words,
             const std::function<void(Json*)>& change = nullptr) {
  auto read = ReadArguments(tool, rules, command.flags, words);
  if (!read.ok()) {
    Report(command, read.status());
    return static_cast<int>(ExitStatus::kMisused);
  }
  Call call = {&command, &tool, *std::move(read)};
  if (change) change(&call.words.arguments);
  if (call.Has("json")) call.words.arguments["format"] = "json";
  return Run(call);
}

}  // namespace

int RunCall(const Options& options) {
  const CommandRow& command = *FindCommand("call");
  ToolTables tables;
  if (options.operands.empty()) {
    return Report(command, InvalidArgument("which tool? one of: %s",
                                           Join(tables.Names(), ", ")));
  }
  std::vector<std::string> words = options.operands;
  const mcp::Tool* tool = tables.Find(words[0]);
  if (tool == nullptr) {
    return Report(command,
                  InvalidArgument("no tool '%s'%s", words[0],
                                  DidYouMean(words[0], tables.Names())));
  }
  words.erase(words.begin());
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    Print("%s: %s\n\n", tool->name, tool->description);
    PrintShown(stdout, ToolFlagsHelp(FlagsOf(*tool, {})));
    return 0;
  }
  return CallWith(command, *tool, {}, words);
}

int RunShortForm(const std::string& name, const Options& options) {
  const ToolCommand& row = *FindToolCommand(name);
  ToolTables tables;
  return CallWith(*FindCommand(name), *tables.Find(row.tool), row.rules,
                  options.operands);
}

// `glasstty watch SESSION NAME --regex ...` is term_wait with the condition as
// a watch, and nothing to wait for.
int RunWatch(const Options& options) {
  const CommandRow& command = *FindCommand("watch");
  std::vector<std::string> words = options.operands;
  auto is_name = [](const std::string& word) { return !word.starts_with('-'); };
  auto session = std::find_if(words.begin(), words.end(), is_name);
  bool has_names = session != words.end() && session + 1 != words.end() &&
                   is_name(session[1]);
  if (!has_names) {
    Report(command, InvalidArgument("give SESSION and the watch's NAME"));
    return static_cast<int>(ExitStatus::kMisused);
  }
  std::string name = session[1];
  words.erase(session + 1);
  const ToolCommand& row = *FindToolCommand("watch");
  ToolTables tables;
  return CallWith(command, *tables.Find(row.tool), row.rules, words,
                  [&name](Json* arguments) {
                    const Json* until = FindMember(*arguments, "until");
                    Json condition = until == nullptr ? Json() : *until;
                    (*arguments)["watch"] = Json{{name, condition}};
                    (*arguments)["until"] = Json::object();
                  });
}

}  // namespace glasstty

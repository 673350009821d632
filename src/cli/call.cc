// `glasstty call` and its short forms: one tool call on the shared server, for
// people and for agents that have only a shell.
//
// The output of the tool goes to stdout. The first line of the answer, which
// gives the session's state, goes to stderr, and so do refusals. The exit
// status is one of exit_status.h, or that of the command that was run.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/call_arguments.h"
#include "cli/call_output.h"
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

// Reports that no server has answered.
int NoServer(const CommandRow& command, const absl::Status& status) {
  Report(command, absl::Status(status.code(), InShellWords(Message(status))));
  return static_cast<int>(ExitStatus::kNoServer);
}

// Returns the states that the call waits for, as a text or a list; null: none.
const Json* StatesOf(const Json& arguments) {
  const Json* until = FindMember(arguments, "until");
  return until == nullptr ? nullptr : FindMember(*until, "state");
}

// Returns whether "exited" is one of the states that the call waits for.
bool WaitsForExit(const Json& arguments) {
  const Json* state = StatesOf(arguments);
  if (state == nullptr) return false;
  if (state->is_string()) return *state == "exited";
  return std::find(state->begin(), state->end(), Json("exited")) !=
         state->end();
}

// No session has as many lines.
constexpr int64_t kAllLines = 1'000'000'000;

// The exit status for a reason why a call ended.
struct ReasonRow {
  std::string_view reason;
  ExitStatus status;
};

// A script must not continue as if a command whose status is unknown had
// succeeded.
int KnownStatus(const CallAnswer& answer) {
  return answer.exit.value_or(static_cast<int>(ExitStatus::kUnknown));
}

struct CameRow {
  std::string_view state;
  ExitStatus status;
};
constexpr CameRow kCame[] = {{"input", ExitStatus::kCameInput},
                             {"secret", ExitStatus::kCameSecret},
                             {"busy", ExitStatus::kCameBusy}};

// Returns which of several states was reached. For a single state returns
// kDone, because the caller knows the state.
ExitStatus StateThatCame(const Json& arguments, const CallAnswer& answer) {
  const Json* states = StatesOf(arguments);
  bool any = states != nullptr && states->is_array() && states->size() > 1;
  if (!any) return ExitStatus::kDone;
  for (const CameRow& row : kCame) {
    if (answer.reason == row.state) return row.status;
  }
  // A program without a status (an unknown signal ended it) counts as failed.
  bool has_failed = answer.reason == "exited" ? answer.exit != 0
                    : answer.reason == "prompt"
                        ? answer.last_exit.value_or(0) != 0
                        : false;
  return has_failed ? ExitStatus::kCameFailure : ExitStatus::kDone;
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
    return static_cast<int>(answer.held
                                ? StateThatCame(call.words.arguments, answer)
                                : ExitStatus::kEndedWithoutIt);
  }
  if (!WaitsForExit(call.words.arguments)) {
    return static_cast<int>(ExitStatus::kEndedWithoutIt);
  }
  if (call.Has("exit-status")) return KnownStatus(answer);
  return static_cast<int>(StateThatCame(call.words.arguments, answer));
}

// Returns whether the exit status means that the condition held.
bool HasCome(int status) {
  return status == static_cast<int>(ExitStatus::kDone) ||
         (status >= static_cast<int>(ExitStatus::kCameInput) &&
          status <= static_cast<int>(ExitStatus::kCameBusy));
}

// Returns whether the caller's own condition of success held; nullopt if there
// was none.
std::optional<bool> Success(const CallAnswer& answer) {
  const Json* success = FindMember(answer.structured, "success");
  bool is_judged = success != nullptr && success->is_boolean();
  return is_judged ? std::optional(*success == true) : std::nullopt;
}

int StatusOfRun(const CallAnswer& answer) {
  constexpr std::string_view kEnds[] = {"", "prompt", "exited", "closed",
                                        "cancelled"};
  bool has_ended = std::find(std::begin(kEnds), std::end(kEnds),
                             answer.reason) != std::end(kEnds);
  if (!has_ended) return static_cast<int>(ExitStatus::kTimedOut);
  std::optional<bool> success = Success(answer);
  if (success == true) return static_cast<int>(ExitStatus::kDone);
  int status = KnownStatus(answer);
  bool hides_failure = success == false && status == 0;
  return hides_failure ? static_cast<int>(ExitStatus::kEndedWithoutIt) : status;
}

int StatusOf(const Call& call, const CallAnswer& answer) {
  if (answer.refused) {
    bool misused = answer.failure == "INVALID_ARGUMENT";
    return static_cast<int>(misused ? ExitStatus::kMisused
                                    : ExitStatus::kRefused);
  }
  if (call.tool->name == "term_run") return StatusOfRun(answer);
  // term_open and term_send may wait, too.
  bool waits = FindMember(call.words.arguments, "until") != nullptr;
  return waits ? StatusOfWait(call, answer) : 0;
}

// ---- events

// Without a timeout of the caller, a request is repeated after this time.
constexpr double kEventCall_s = 3600;
// A server that has died must be replaced within this many pauses.
constexpr int kMostMisses = 10;
constexpr int kMissPauseMs = 300;

void PauseBriefly() {
  // Without a descriptor, poll(2) waits for the time alone.
  pollfd nothing{-1, 0, 0};
  poll(&nothing, 1, kMissPauseMs);
}

// Requests the next event: on behalf of the agent that has started this
// process, if any, so that only events that are new to the agent wake it.
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
  bool is_known_ = false;  // the last request was answered
};

bool WaitsForEvent(const Call& call) {
  const Json* until = FindMember(call.words.arguments, "until");
  const Json* event = until == nullptr ? nullptr : FindMember(*until, "event");
  return event != nullptr && *event == true;
}

// Events go to stdout as a whole: an agent that is woken reads nothing else.
int RunEvents(const Call& call) {
  Json arguments = call.words.arguments;
  bool is_limited = FindMember(arguments, "timeout_s") != nullptr;
  if (!is_limited) arguments["timeout_s"] = kEventCall_s;
  EventSource source(call);
  while (true) {
    auto answer = source.Next(arguments);
    if (!answer.ok()) {
      return NoServer(*call.command, answer.status());
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
  if (!answer.ok()) return NoServer(*call.command, answer.status());
  PrintAnswer(call, *answer);
  return StatusOf(call, *answer);
}

int Run(const Call& call) {
  int status = WaitsForEvent(call) ? RunEvents(call) : RunOnce(call);
  auto then = call.words.flags.find("exec");
  if (then == call.words.flags.end()) return status;
  bool has_come = call.Has("exit-status") ? status == 0 : HasCome(status);
  if (!has_come) return status;
  std::fflush(nullptr);
  execl("/bin/sh", "sh", "-c", then->second.c_str(), nullptr);
  PrintError("glasstty %s: cannot start /bin/sh: %s\n", call.command->name,
             Message(ErrnoStatus("start", "/bin/sh")));
  return static_cast<int>(ExitStatus::kRefused);
}

// At a shell, output is complete unless the caller limits it: other programs
// read it.
void WantAll(const mcp::Tool& tool, Json* arguments) {
  auto has = [arguments](const char* name) {
    return arguments->contains(name);
  };
  bool has_output = std::any_of(
      tool.fields.begin(), tool.fields.end(),
      [](const mcp::FieldHead& field) { return field.name == "max_lines"; });
  if (has_output && !has("max_lines")) (*arguments)["max_lines"] = 0;
  const Json* mode = FindMember(*arguments, "mode");
  bool is_history = mode != nullptr && *mode == "history";
  if (is_history && !has("from_line") && !has("lines")) {
    (*arguments)["from_line"] = 1;
    (*arguments)["lines"] = kAllLines;
  }
}

// `change` may change the arguments that were read, or refuse them.
int CallWith(const CommandRow& command, const mcp::Tool& tool,
             const WordRules& rules, const std::vector<std::string>& words,
             const std::function<absl::Status(Json*)>& change = nullptr) {
  auto read = ReadArguments(tool, rules, command.flags, words);
  absl::Status status = read.status();
  bool lacks_inner = read.ok() && !rules.inner.empty() &&
                     !read->arguments.contains(rules.inner);
  // For an empty object, the tool says which of the members is missing.
  if (lacks_inner) read->arguments[rules.inner] = Json::object();
  if (read.ok() && change) status = change(&read->arguments);
  if (status.ok()) {
    status = tool.check(read->arguments);
    status = absl::Status(
        status.code(), RefusalInShellWords(Message(status), tool, rules, ""));
  }
  if (!status.ok()) {
    Report(command, status);
    return static_cast<int>(ExitStatus::kMisused);
  }
  Call call = {&command, &tool, &rules, *std::move(read)};
  Json& arguments = call.words.arguments;
  const Json* format = FindMember(arguments, "format");
  if (format != nullptr && *format == "json") call.words.flags["json"] = "";
  if (call.Has("json")) arguments["format"] = "json";
  WantAll(tool, &arguments);
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
    const std::vector<std::string> names = tables.Names();
    std::string wanted = words[0];
    if (wanted.starts_with(kToolPrefix)) wanted.erase(0, kToolPrefix.size());
    return Report(command, InvalidArgument("no tool '%s'%s", words[0],
                                           DidYouMean(wanted, names)));
  }
  if (words.size() == 2 && (words[1] == "--help" || words[1] == "-h")) {
    Print("%s: %s\n\n", words[0], InShellWords(tool->description));
    PrintShown(stdout, ToolFlagsHelp(FlagsOf(*tool, {})));
    return 0;
  }
  words.erase(words.begin());
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
  const ToolCommand& row = *FindToolCommand("watch");
  ToolTables tables;
  return CallWith(
      *FindCommand("watch"), *tables.Find(row.tool), row.rules,
      options.operands, [](Json* arguments) -> absl::Status {
        const Json* name = FindMember(*arguments, "watch");
        if (name == nullptr || !name->is_string()) {
          return InvalidArgument("give SESSION and the watch's NAME");
        }
        const Json* until = FindMember(*arguments, "until");
        Json condition = until == nullptr || until->empty() ? Json() : *until;
        std::string key = name->get<std::string>();
        (*arguments)["watch"] = Json{{key, condition}};
        (*arguments)["until"] = Json::object();
        return absl::OkStatus();
      });
}

}  // namespace glasstty

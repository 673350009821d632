// `glasstty hook`: the command that agents' clients run as a hook, at moments
// at which they cannot call a tool of the server.
//
// It never starts a server, and it is silent if anything fails: a hook must not
// be in the way. The server decides what the hook prints (tools/hook.cc),
// except when an agent starts and for the client's permission rules.
#include "tools/hook.h"

#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/permit.h"
#include "cli/print.h"
#include "cli/session_facts.h"
#include "cli/settings.h"
#include "cli/shared_call.h"
#include "support/json.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// The exit status with which a hook of Claude Code wakes the agent.
constexpr int kWakes = 2;
// The pauses between looks at a session: the first one for the first kSoonLooks
// looks, after a change of the state and while the server does not answer, the
// second one otherwise.
constexpr int kSoonLookMs = 300;
constexpr int kLaterLookMs = 1000;
constexpr int kSoonLooks = 10;
// The number of looks for which a server that is being replaced may be away.
constexpr int kMostMisses = 10;
// The number of sessions that are named when an agent starts, and the maximum
// length of each program.
constexpr size_t kMostNamedSessions = 6;
constexpr size_t kMostNamedProgram = 40;

std::string HookVariable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string MemberText(const Json& object, std::string_view key) {
  const Json* value = glasstty::FindMember(object, key);
  bool is_text = value != nullptr && value->is_string();
  return is_text ? value->get_ref<const std::string&>() : "";
}

// ---- start

// Programs in a session have the session's id in a variable; the session's
// directory has the id as its name.
bool IsOwnTerminal(const SessionFacts& facts) {
  std::string id = HookVariable("GLASSTTY_SESSION");
  return !id.empty() && facts.path.ends_with("/" + id);
}

int HookStart(const Json&, const std::string&) {
  auto sessions = ListSessions(false);
  if (!sessions.ok()) return 0;
  std::erase_if(*sessions, [](const SessionFacts& facts) {
    return facts.serves_place || IsOwnTerminal(facts);
  });
  if (sessions->empty()) return 0;
  PutNeedyFirst(&*sessions);
  std::vector<std::string> named;
  for (const SessionFacts& facts : *sessions) {
    if (named.size() == kMostNamedSessions) break;
    named.push_back(absl::StrFormat("%s (%s: %s)",
                                    QuotedUnlessPlain(facts.name), facts.state,
                                    Quoted(facts.program, kMostNamedProgram)));
  }
  // Names and programs come last: they must not seem to introduce our advice.
  std::string text =
      "term_list says whose terminals are open and how to name them. Open "
      "terminals (glasstty): " +
      Join(named, ", ");
  if (named.size() < sessions->size()) {
    text += absl::StrFormat(" and %d more", sessions->size() - named.size());
  }
  Json output = {{"hookEventName", "SessionStart"},
                 {"additionalContext", std::move(text)}};
  Print("%s\n", DumpJson(Json{{"hookSpecificOutput", std::move(output)}}));
  return 0;
}

// ---- pretool and stop

int PrintHookAnswer(const Json& arguments) {
  auto answer = CallForAgent(kHookTool, arguments);
  if (answer.ok() && !answer->refused) PrintShown(stdout, answer->text);
  return 0;
}

int HookPreTool(const Json& input, const std::string& client) {
  const Json* given = glasstty::FindMember(input, "tool_input");
  if (given == nullptr) return 0;
  return PrintHookAnswer({{"event", "PreToolUse"},
                          {"client", client},
                          {"command", MemberText(*given, "command")}});
}

int HookStop(const Json& input, const std::string& client) {
  const Json* active = glasstty::FindMember(input, "stop_hook_active");
  return PrintHookAnswer(
      {{"event", "Stop"},
       {"client", client},
       {"stop_hook_active", active != nullptr && *active == true}});
}

// ---- wake

// Returns the session that a reply shows, if it may continue without the agent:
// it is busy, or a person may answer it. Replies are text or JSON.
std::optional<std::string> LeftSession(const std::string& reply) {
  std::string name, state;
  size_t end = reply.find("] ");
  if (reply.starts_with('{')) {
    absl::StatusOr<Json> json = ParseJson(reply);
    if (!json.ok()) return std::nullopt;
    name = MemberText(*json, "session");
    state = MemberText(*json, "state");
  } else if (reply.starts_with('[') && end != std::string::npos) {
    name = reply.substr(1, end - 1);
    state = reply.substr(end + 2);
  }
  constexpr std::string_view kStates[] = {"busy", "input", "secret"};
  bool is_left = std::any_of(
      std::begin(kStates), std::end(kStates),
      [&state](std::string_view left) { return state.starts_with(left); });
  return is_left && !name.empty() ? std::optional(name) : std::nullopt;
}

// Searches the lists and objects into which clients put a tool's reply.
std::optional<std::string> FindLeftSession(const Json& response) {
  if (response.is_string()) {
    return LeftSession(response.get_ref<const std::string&>());
  }
  if (!response.is_structured()) return std::nullopt;
  for (const Json& part : response) {
    if (auto name = FindLeftSession(part)) return name;
  }
  return std::nullopt;
}

void PauseLooks(int ms) {
  // Without a descriptor, poll(2) waits for the time alone.
  pollfd nothing{-1, 0, 0};
  poll(&nothing, 1, ms);
}

// Returns what the server answers; null if there is no answer.
Json AskAboutSession(const Json& arguments) {
  auto answer = CallForAgent(kHookTool, arguments);
  if (!answer.ok() || answer->refused) return Json();
  absl::StatusOr<Json> said = ParseJson(answer->text);
  return said.ok() ? *std::move(said) : Json();
}

// Waits until the agent is to be woken, and returns the reason; "" if it need
// not be. A server that is being replaced is away for some looks.
std::string AwaitNews(const std::string& session) {
  Json arguments = {{"event", "Watch"}, {"session", session}};
  int misses = 0;
  for (int looks = 0; misses <= kMostMisses; ++looks) {
    Json said = AskAboutSession(arguments);
    if (said.is_null() && looks == 0) return "";
    misses = said.is_null() ? misses + 1 : 0;
    bool is_soon = looks < kSoonLooks || said.is_null();
    if (!said.is_null()) {
      std::string text = MemberText(said, "wake");
      if (!text.empty() || !said.contains("again")) return text;
      is_soon |= MemberText(arguments, "state") != MemberText(said, "state");
      arguments["watch"] = said["watch"];
      arguments["state"] = said["state"];
    }
    PauseLooks(is_soon ? kSoonLookMs : kLaterLookMs);
  }
  return "";
}

// Claude Code's other entry points hold a tool's reply back until this process
// ends.
int HookWake(const Json& input, const std::string&) {
  const Json* response = glasstty::FindMember(input, "tool_response");
  if (HookVariable("CLAUDE_CODE_ENTRYPOINT") != "cli" || response == nullptr) {
    return 0;
  }
  auto session = FindLeftSession(*response);
  std::string news = session ? AwaitNews(*session) : "";
  if (news.empty()) return 0;
  PrintError("%s\n", news);
  return kWakes;
}

// If no rule decides, says nothing: the user may have chosen only for the
// client's current session whether the client asks, and no file records this
// choice.
int HookPermit(const Json& input, const std::string& client) {
  auto answer = AnswerByRules(client, input, PermitScope::kRules);
  if (answer.ok() && !answer->is_null()) Print("%s\n", DumpJson(*answer));
  return 0;
}

struct HookRow {
  std::string_view name;
  bool reads_input;
  int (*run)(const Json& input, const std::string& client);
};
constexpr HookRow kHooks[] = {{"start", false, HookStart},
                              {"wake", true, HookWake},
                              {"pretool", true, HookPreTool},
                              {"permit", true, HookPermit},
                              {"stop", true, HookStop}};

// Returns what the client says on stdin; null if that is no JSON object.
Json ReadHook() {
  auto text = ReadInput("-");
  if (!text.ok()) return Json();
  absl::StatusOr<Json> json = ParseJson(*text);
  return json.ok() && json->is_object() ? *std::move(json) : Json();
}

}  // namespace

int RunHook(const Options& options) {
  const CommandRow& command = *FindCommand("hook");
  std::string name = options.operands.size() == 1 ? options.operands[0] : "";
  auto row = std::find_if(std::begin(kHooks), std::end(kHooks),
                          [&name](const HookRow& r) { return r.name == name; });
  if (row == std::end(kHooks)) {
    return Report(command,
                  InvalidArgument("give one of: %s",
                                  Join(Split(command.operands, '|'), ", ")));
  }
  std::string client = options.Get("client", "claude-code");
  if (client != "claude-code" && client != "codex") {
    return Report(command,
                  InvalidArgument("no client '%s' with hooks; there are: "
                                  "claude-code, codex",
                                  client));
  }
  auto settings = LoadSettings({});
  bool is_off =
      settings.ok() && (!settings->settings.hooks ||
                        (name == "permit" && !settings->settings.client_rules));
  if (is_off) return 0;
  Json input = row->reads_input ? ReadHook() : Json();
  if (row->reads_input && input.is_null()) return 0;
  return row->run(input, client);
}

}  // namespace glasstty

// `glasstty permit --client CLIENT`: answers a hook that a client runs before
// it calls a tool of ours, by the rules that the user has given to the client
// for its own shell tool.
//
// Reads the hook's JSON from stdin and prints the answer in the client's form,
// or nothing if the client is to decide as if there were no hook. Starts
// nothing.
#include "cli/permit.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "gate/gate.h"
#include "gate/typed_line.h"
#include "permit/call.h"
#include "permit/client_rules.h"
#include "support/home.h"
#include "support/status.h"
#include "terminal/keys.h"
#include "tools/steps.h"

namespace glasstty {
namespace {

using permit::Answer;
using permit::Decision;

struct PermitClient {
  const char* name;
  permit::Client client;
  // The variable with which the user may have moved the client's files.
  const char* moved;
  // The variable in which the client names the project; "" if it has none.
  const char* project;
};
constexpr PermitClient kPermitClients[] = {
    {"claude-code", permit::Client::kClaudeCode, "CLAUDE_CONFIG_DIR",
     "CLAUDE_PROJECT_DIR"},
    {"codex", permit::Client::kCodex, "CODEX_HOME", ""},
    {"opencode", permit::Client::kOpencode, "OPENCODE_CONFIG", ""},
};

std::string ValueOf(const char* variable) {
  const char* value = *variable == '\0' ? nullptr : std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string MemberText(const Json& object, const char* name) {
  const Json* member = FindMember(object, name);
  return member == nullptr ? "" : AsString(*member).value_or("");
}

// ---- what is typed

// Secrets are neither read nor judged: they are no commands.
Json WithoutSecrets(const Json& input, bool* certain) {
  if (!input.is_array()) return input;
  Json rest = Json::array();
  for (const Json& step : input) {
    bool is_secret = step.is_object() && (step.contains("secret_env") ||
                                          step.contains("secret_file"));
    if (is_secret) *certain = false;
    if (!is_secret) rest.push_back(step);
  }
  return rest;
}

// Adds the lines that these steps enter. Text after the last Enter counts as a
// line, too, because the argument `enter` or a later call may enter it.
void AddLines(const Json& input, permit::TypedText* typed) {
  auto steps =
      ParseSteps("permit", "input", WithoutSecrets(input, &typed->certain));
  if (!steps.ok()) {
    typed->certain = false;
    return;
  }
  gate::TypedLine line;
  std::string bytes;
  for (const typing::Step& step : *steps) {
    switch (step.kind) {
      case typing::Step::Kind::kText:
      case typing::Step::Kind::kPaste:
        bytes = terminal::EncodeText(step.text, {});
        break;
      case typing::Step::Kind::kKey:
        bytes = terminal::EncodeKey(step.key, {});
        break;
      default:
        continue;
    }
    for (gate::TypedLine::Entered& entered : line.Type(bytes)) {
      typed->certain &= !entered.uncertain;
      typed->lines.push_back(std::move(entered.text));
    }
  }
  std::string rest = line.text();
  if (!rest.empty()) typed->lines.push_back(std::move(rest));
}

permit::TypedText TypedBy(const Json& arguments) {
  permit::TypedText typed;
  const Json* input = FindMember(arguments, "input");
  if (input != nullptr && !input->is_null()) {
    AddLines(*input, &typed);
  }
  const Json* answers = FindMember(arguments, "answers");
  if (answers == nullptr || !answers->is_array()) return typed;
  for (const Json& answer : *answers) {
    const Json* step = FindMember(answer, "input");
    if (step != nullptr) AddLines(*step, &typed);
  }
  return typed;
}

// ---- what is answered

// The hook, as all three clients describe it.
struct Hook {
  std::string event;
  std::string mode;  // when the client asks its user: "plan", "auto"
  std::string tool_name;
  permit::Call call;
};

std::string WordFor(Answer answer) {
  switch (answer) {
    case Answer::kAllow:
      return "allow";
    case Answer::kDeny:
      return "deny";
    case Answer::kNone:
    case Answer::kAsk:
      break;
  }
  return "ask";
}

// Returns whether the user lets the client call this tool without a question.
bool IsAllowedTool(const permit::RuleSet& rules, const std::string& tool) {
  for (const std::string& allowed : rules.allowed_tools) {
    bool is_server = tool.starts_with(allowed + "__");
    if (is_server || permit::MatchesPattern(allowed, tool)) return true;
  }
  return false;
}

// Returns whether the client decides without us. If no rule applies, we make
// its question show the command, unless the user has chosen not to be asked.
// Typed text is mostly an answer to a program, so the client decides about it.
bool LeavesToClient(const permit::RuleSet& rules, const Hook& hook,
                    Answer answer, PermitScope scope) {
  bool asks_nobody = hook.mode == "bypassPermissions" || hook.mode == "auto";
  if (hook.mode == "bypassPermissions" && answer != Answer::kDeny) return true;
  // While it plans, the client runs less than the rules allow.
  if (hook.mode == "plan" && answer == Answer::kAllow) return true;
  if (answer != Answer::kNone) return false;
  return scope == PermitScope::kRules || asks_nobody ||
         hook.call.tool == "term_send" || IsAllowedTool(rules, hook.tool_name);
}

Json AnswerFor(permit::Client client, const Hook& hook,
               const Decision& decision) {
  std::string command = permit::CommandsIn(hook.call);
  std::string reason = decision.reason;
  if (!command.empty()) {
    reason = absl::StrFormat("%s `%s`: %s", hook.call.tool,
                             ShowOnOneLine(command, gate::kMaxShown), reason);
  }
  std::string word = WordFor(decision.answer);
  if (client == permit::Client::kOpencode) {
    return {{"decision", word}, {"reason", reason}};
  }
  Json answer = {{"hookEventName", hook.event}};
  if (hook.event == "PermissionRequest") {
    // The client is about to ask already.
    if (word == "ask") return Json();
    answer["decision"]["behavior"] = word;
    if (word == "deny") answer["decision"]["message"] = reason;
  } else {
    // A hook can only make Codex refuse; Codex asks by its own rules.
    if (client == permit::Client::kCodex && word != "deny") return Json();
    answer["permissionDecision"] = word;
    answer["permissionDecisionReason"] = reason;
  }
  return {{"hookSpecificOutput", std::move(answer)}};
}

Hook ReadCall(const Json& json) {
  Hook hook;
  hook.event = MemberText(json, "hook_event_name");
  if (hook.event.empty()) hook.event = "PreToolUse";
  hook.mode = MemberText(json, "permission_mode");
  hook.tool_name = MemberText(json, "tool_name");
  hook.call.tool = permit::ToolIn(hook.tool_name);
  const Json* input = FindMember(json, "tool_input");
  if (input != nullptr && input->is_object()) hook.call.arguments = *input;
  hook.call.typed = TypedBy(hook.call.arguments);
  return hook;
}

permit::Places PlacesOf(const PermitClient& client) {
  permit::Places places;
  places.home = HomeDirectory();
  places.project = ValueOf(client.project);
  if (places.project.empty()) {
    std::error_code error;
    places.project = std::filesystem::current_path(error).string();
  }
  places.moved = ValueOf(client.moved);
  places.config = ValueOf("XDG_CONFIG_HOME");
  return places;
}

absl::Status Permit(const Options& options) {
  ASSIGN_OR_RETURN(std::string text, ReadInput("-"));
  auto json = ParseJson(text);
  if (!json.ok() || !json->is_object()) {
    return InvalidArgument("stdin is not the JSON of a hook");
  }
  ASSIGN_OR_RETURN(Json answer, AnswerByRules(options.Get("client"), *json,
                                              PermitScope::kQuestion));
  if (!answer.is_null()) Print("%s\n", DumpJson(answer));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Json> AnswerByRules(const std::string& name, const Json& input,
                                   PermitScope scope) {
  const PermitClient* client = std::begin(kPermitClients);
  while (client != std::end(kPermitClients) && name != client->name) ++client;
  if (client == std::end(kPermitClients)) {
    return InvalidArgument(
        "--client must be claude-code, codex or opencode, not '%s'", name);
  }
  Hook hook = ReadCall(input);
  permit::RuleSet rules = permit::LoadRules(client->client, PlacesOf(*client));
  auto decision = permit::DecideCall(rules, hook.call);
  if (!decision || LeavesToClient(rules, hook, decision->answer, scope)) {
    return Json();
  }
  return AnswerFor(client->client, hook, *decision);
}

int RunPermit(const Options& options) {
  return Report(*FindCommand("permit"), Permit(options));
}

}  // namespace glasstty

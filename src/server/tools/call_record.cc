#include "tools/call_record.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "base/visible.h"
#include "record/call_log.h"
#include "terminal/keys.h"
#include "terminal/modes.h"

namespace glasstty {
namespace {

constexpr std::string_view kHidden = "…";
constexpr size_t kMostShown = 200;  // characters

// These arguments say what a call is about. Any other may contain a secret.
constexpr std::string_view kHarmless[] = {
    "all",       "argv",   "at",     "click",    "cols",  "command",
    "cwd",       "drag",   "enter",  "eof",      "force", "from_line",
    "fresh",     "grep",   "keep",   "lines",    "mode",  "name",
    "on",        "output", "path",   "pause_s",  "raw",   "regex",
    "resize",    "rows",   "scroll", "sessions", "show",  "signal",
    "timeout_s", "until",  "append"};

bool IsHarmless(std::string_view key) {
  return std::find(std::begin(kHarmless), std::end(kHarmless), key) !=
         std::end(kHarmless);
}

std::string ShownValue(const Json& value) {
  return value.is_string() ? value.get<std::string>() : DumpJson(value);
}

// Returns whether `name` is a key that types no text: <Enter>, but not <a>,
// <Space> or <lt>.
bool IsHarmlessKey(std::string_view name) {
  auto key = terminal::ParseKey(name);
  if (!key.ok()) return false;
  std::string typed = terminal::EncodeKey(*key, terminal::Modes());
  return !typed.empty() &&
         absl::ascii_iscntrl(static_cast<unsigned char>(typed[0]));
}

// Appends the names of keys, and hides the text between them.
void AddTyped(std::string_view text, std::string* shown) {
  auto hide = [shown] {
    if (!shown->ends_with(kHidden)) *shown += kHidden;
  };
  while (!text.empty()) {
    size_t end = text[0] == '<' ? text.find('>') : std::string_view::npos;
    bool is_key =
        end != std::string_view::npos && IsHarmlessKey(text.substr(1, end - 1));
    if (is_key) {
      *shown += text.substr(0, end + 1);
      text.remove_prefix(end + 1);
    } else {
      hide();
      text.remove_prefix(std::min(text.find('<', 1), text.size()));
    }
  }
}

// `input` is a list of steps, or a single text, which is typed literally.
std::string ShownInput(const Json& input) {
  if (!input.is_array()) return std::string(kHidden);
  std::string shown;
  for (const Json& step : input) {
    if (step.is_string()) AddTyped(step.get_ref<const std::string&>(), &shown);
    if (step.is_object()) shown += "{" + HarmlessArguments(step) + "}";
  }
  return shown;
}

std::string FirstLine(const std::string& text) {
  return ShowOnOneLine(text.substr(0, text.find('\n')), kMostShown);
}

// Returns the name in a reply such as "[main] prompt ...", or "".
std::string SessionIn(const std::string& reply) {
  size_t end = reply.find("] ");
  bool names = reply.starts_with('[') && end != std::string::npos;
  return names ? reply.substr(1, end - 1) : "";
}

// Returns the directory of the session that this client calls `name`; null:
// there is none.
record::Folder::Hold DirectoryOf(Workbench* bench, mcp::ToolCall* call,
                                 const std::string& tool,
                                 const std::string& name) {
  if (name.empty()) return nullptr;
  // These tools open a session of this server.
  bool opens = tool == "term_run" || tool == "term_open";
  auto session = bench->FindUnread(
      call, name, opens ? Workbench::Servers::kThis : Workbench::Servers::kAll);
  return session.ok() ? (*session)->OpenDirectory() : nullptr;
}

using Handler = decltype(mcp::Tool::handler);

// `handler` is part of a row of the catalog and `arguments` of the request;
// both outlive the call.
Task<mcp::ToolResult> RunNoted(Workbench* bench, const std::string* tool,
                               const Handler* handler, mcp::ToolCall* call,
                               const Json* arguments) {
  record::AgentCall note = {.begin = bench->loop()->Now(), .tool = *tool};
  // Looks for the session before the call, because the session may be gone
  // afterwards. Looks again after the call if no session was named, or if the
  // named one did not exist before.
  const Json* name = FindMember(*arguments, "session");
  record::Folder::Hold directory;
  if (name != nullptr && name->is_string()) {
    directory =
        DirectoryOf(bench, call, *tool, name->get_ref<const std::string&>());
  }
  mcp::ToolResult result = co_await (*handler)(call, *arguments);
  // The reply of term_list begins with a session, too, but is not a use of it.
  if (!directory && *tool != "term_list") {
    directory = DirectoryOf(bench, call, *tool, SessionIn(result.text));
  }
  if (directory && directory->valid()) {
    note.end = bench->loop()->Now();
    note.client = call->context().client_info;
    note.arguments = HarmlessArguments(*arguments);
    note.failed = result.is_error;
    // An error message may quote the input.
    if (!result.is_error) note.reply = FirstLine(result.text);
    record::AppendCall(directory->get(), note);
  }
  co_return result;
}

}  // namespace

std::string HarmlessArguments(const Json& arguments) {
  std::string shown;
  for (auto item = arguments.begin(); item != arguments.end(); ++item) {
    const std::string& key = item.key();
    if (key == "session") continue;
    std::string value(kHidden);
    if (key == "input") value = ShownInput(item.value());
    if (IsHarmless(key)) value = ShownValue(item.value());
    if (!shown.empty()) shown += ", ";
    // The values of these arguments are recognizable without the names.
    bool is_obvious = key == "command" || key == "input";
    if (!is_obvious) shown += ShowOnOneLine(key, 20) + ": ";
    shown += ShowOnOneLine(value, kMostShown);
  }
  return shown;
}

mcp::Tool Noted(Workbench* bench, mcp::Tool tool) {
  tool.handler = [bench, name = tool.name, handler = std::move(tool.handler)](
                     mcp::ToolCall* call, const Json& arguments) {
    return RunNoted(bench, &name, &handler, call, &arguments);
  };
  return tool;
}

}  // namespace glasstty

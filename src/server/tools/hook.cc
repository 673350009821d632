// A hook is a moment at which an agent's client lets plugins add text for the
// agent: before a shell command, and when the agent wants to end its turn. The
// answer is JSON in the client's own form (docs/plugins.md). Clients call the
// tool over the agent's connection, or start `glasstty hook`, which calls it on
// the agent's behalf. Nothing here opens a session, types into one or counts as
// reading it.
#include "tools/hook.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/attention.h"
#include "tools/shell_hint.h"

namespace glasstty {

using session::Activity;
using session::SessionRef;

namespace {

enum class HookEvent {
  kStop,        // the agent wants to end its turn
  kPreToolUse,  // the agent is about to run a command in its own shell
  // Not from a client: `glasstty hook wake` asks whether to wake the agent.
  kWatch,
};
enum class HookClient { kClaudeCode, kCodex };

}  // namespace

template <>
struct mcp::EnumNames<HookEvent> {
  static constexpr std::string_view kNames[] = {"Stop", "PreToolUse", "Watch"};
};
template <>
struct mcp::EnumNames<HookClient> {
  static constexpr std::string_view kNames[] = {"claude-code", "codex"};
};

namespace {

struct HookArgs {
  HookEvent event = HookEvent::kStop;
  HookClient client = HookClient::kClaudeCode;
  std::string command;
  // Claude Code passes every value as a string.
  Json stop_hook_active = false;
  std::string session;
  int64_t watch = 0;
  std::string state;

  static const std::vector<mcp::Field<HookArgs>>& Fields() {
    using A = HookArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>{
        mcp::Required("event", &A::event, ""),
        mcp::Optional("client", &A::client, ""),
        mcp::Optional("command", &A::command, "Of PreToolUse."),
        mcp::Optional("stop_hook_active", &A::stop_hook_active, "Of Stop.",
                      mcp::Shape{R"({"type":["boolean","string"]})"}),
        mcp::Optional("session", &A::session, "Of Watch."),
        mcp::Optional("watch", &A::watch, "Of Watch: from the last answer."),
        mcp::Optional("state", &A::state, "Of Watch: from the last answer."),
    };
    return *fields;
  }
};

Json HookContext(const char* event, std::string text) {
  return {{"hookSpecificOutput",
           {{"hookEventName", event}, {"additionalContext", std::move(text)}}}};
}

// Codex rejects a context here, and Claude Code would show a reason as an
// error.
Json KeepGoing(HookClient client, std::string text) {
  if (client == HookClient::kClaudeCode) {
    return HookContext("Stop", std::move(text));
  }
  return {{"decision", "block"}, {"reason", std::move(text)}};
}

std::string AttentionSentence(Workbench* bench, const mcp::ToolCall& call,
                              const session::Session& session) {
  return absl::StrFormat(
      "session %s %s",
      QuotedUnlessPlain(bench->clients()->NameFor(call, session)),
      AttentionText(session));
}

// Returns true if a hook must report the news before the agent ends its turn: a
// question in any case, a failure only if replies have shown the session, but
// the last one did not show this failure. The same news is reported only once.
bool IsOpen(const Attention& attention, const ToldState& told) {
  if (told.said == attention.news) return false;
  bool is_shown = told.shown == attention.news;
  return attention.asks || (attention.failed && told.shown && !is_shown);
}

Task<Json> AnswerStop(Workbench* bench, mcp::ToolCall* call, HookArgs args) {
  // A hook has already reported the news, and the agent still ends its turn.
  bool is_second = args.stop_hook_active == Json(true) ||
                   args.stop_hook_active == Json("true");
  if (is_second) co_return Json::object();
  std::vector<SessionRef> own = bench->clients()->OwnOf(*call);
  co_await bench->AwaitShownStates(call, own);
  std::vector<std::string> sentences;
  std::string advice;
  for (const SessionRef& session : own) {
    Attention attention = AttentionTo(*session);
    ToldState* told = bench->clients()->StateOf(*call, *session);
    if (!IsOpen(attention, *told)) continue;
    told->said = attention.news;
    sentences.push_back(AttentionSentence(bench, *call, *session));
    std::string more = AdviceAbout(*session);
    if (!more.empty()) advice += "; " + more;
  }
  if (sentences.empty()) co_return Json::object();
  co_return KeepGoing(
      args.client,
      absl::StrFormat("glasstty: answer with term_send, look with term_read, "
                      "end it with term_close, or tell the user what it waits "
                      "for%s. You are told this once: %s.",
                      advice, Join(sentences, "; ")));
}

Json AnswerPreToolUse(Workbench* bench, const mcp::ToolCall& call,
                      const HookArgs& args) {
  std::string program = WantsTerminal(args.command);
  if (program.empty() || !bench->clients()->TakeHint(call)) {
    return Json::object();
  }
  return HookContext(
      "PreToolUse",
      absl::StrFormat("%s wants a terminal, which this shell is not. term_open "
                      "gives it a real one, and term_send types into it "
                      "(glasstty).",
                      program));
}

// Returns whether the process with the number `*watch` is the latest one that
// watches the session for the agent; earlier ones must end. If `*watch` is 0,
// the process is new and gets the next number.
bool IsLatest(ToldState* told, int64_t* watch) {
  if (*watch == 0) *watch = static_cast<int64_t>(++told->watch);
  // After a restart, the server has no record of these processes.
  if (told->watch == 0) told->watch = static_cast<uint64_t>(*watch);
  return told->watch == static_cast<uint64_t>(*watch);
}

// Answers whether to wake the agent, to ask again, or to give up. The agent is
// woken once its session has left the state that the agent was shown, and only
// if two successive requests find the same state, so that a flickering state
// does not wake it.
Task<Json> AnswerWatch(Workbench* bench, mcp::ToolCall* call, HookArgs args) {
  Json nothing = Json::object();
  auto unique = bench->clients()->Resolve(*call, args.session);
  if (!unique.ok()) co_return nothing;
  auto found = bench->manager()->Find(*unique);
  if (!found.ok()) co_return nothing;
  SessionRef session = *found;
  co_await bench->AwaitShownStates(call, std::vector<SessionRef>(1, session));
  // The agent may have left in the meantime.
  if (!bench->clients()->FindAgent(*call)) co_return nothing;
  ToldState* told = bench->clients()->StateOf(*call, *session);
  if (!IsLatest(told, &args.watch)) co_return nothing;
  Attention attention = AttentionTo(*session);
  if (attention.was_closed) co_return nothing;
  Activity activity = attention.news.activity;
  std::string state(session::ActivityName(activity));
  Json again = {{"again", true}, {"watch", args.watch}, {"state", state}};
  if (activity == Activity::kBusy || session->output().replaying()) {
    co_return again;
  }
  bool is_known = told->shown == attention.news || told->said == attention.news;
  // The agent knows of the question, but somebody else may answer it, so the
  // process goes on watching.
  if (is_known) co_return attention.asks ? again : nothing;
  // If the agent is using the session, the reply to its call will show the
  // news.
  bool is_early =
      args.state != state || bench->clients()->IsUsing(*call, *session);
  if (is_early) co_return again;
  told->said = attention.news;
  std::string advice = AdviceAbout(*session);
  if (!advice.empty()) advice = "; " + advice;
  co_return Json{
      {"wake", absl::StrFormat("glasstty: term_read shows more%s: %s.", advice,
                               AttentionSentence(bench, *call, *session))}};
}

Task<mcp::ToolResult> AnswerHook(Workbench* bench, mcp::ToolCall* call,
                                 HookArgs args) {
  if (absl::Status status = bench->Prepare(); !status.ok()) co_return status;
  bool is_silent = !bench->clients()->FindAgent(*call) ||
                   !bench->clients()->SettingsOf(*call).hooks;
  if (is_silent) co_return kNothingToSay;
  Json answer;
  switch (args.event) {
    case HookEvent::kStop:
      answer = co_await AnswerStop(bench, call, std::move(args));
      break;
    case HookEvent::kPreToolUse:
      answer = AnswerPreToolUse(bench, *call, args);
      break;
    case HookEvent::kWatch:
      answer = co_await AnswerWatch(bench, call, std::move(args));
      break;
  }
  co_return DumpJson(answer);
}

}  // namespace

mcp::Tool HookTool(Workbench* bench) {
  mcp::Tool tool =
      mcp::MakeTool<HookArgs>(bench,
                              {.name = kHookTool,
                               .title = "Hooks",
                               .description = "For hooks of clients.",
                               .annotations = {.read_only = true,
                                               .destructive = false,
                                               .idempotent = false,
                                               .open_world = false}},
                              AnswerHook);
  tool.hidden = true;
  return tool;
}

}  // namespace glasstty

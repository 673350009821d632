// term_send: types, waits, and shows what changed, in one call.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/streams.h"
#include "support/status.h"
#include "tools/all_tools.h"
#include "tools/event_replies.h"
#include "tools/output_args.h"
#include "tools/person_facts.h"
#include "tools/plan.h"
#include "tools/reply.h"
#include "tools/session_words.h"
#include "tools/until_args.h"
#include "typing/input.h"
#include "typing/turn.h"

namespace glasstty {
namespace {

struct SendArgs : OutputArgs {
  std::string session;
  // Parsed by ParseSteps.
  Json input = Json::array();
  // Enter is a separate step after the others, so that a program that reads in
  // pieces has read the whole text before Enter.
  bool enter = false;
  std::vector<AnswerArgs> answers;
  std::optional<UntilArgs> until;
  Json watch;  // conditions that remain in effect after the call
  // Limits the wait after typing; typing has its own limits (typing/input.cc).
  double timeout_s = 5;
  // Shows the echo of what was typed, and the prompt after the output.
  bool echo = false;
  // Turns output notifications on or off (see term_open).
  std::optional<bool> notify;
  // The user wants the input typed, even if the gate objects.
  bool confirm = false;

  static const std::vector<mcp::Field<SendArgs>>& Fields() {
    using A = SendArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>(mcp::With<A>(
        {
            mcp::Optional("session", &A::session, "Default: the only one."),
            mcp::Required(
                "input", &A::input,
                "A string: typed literally, newline = Enter. Or a list of "
                "strings with keys (<Enter> <Esc> <Tab> <C-c> <M-x> <Up> "
                "<F1> <Down*3>; <lt> is '<') and objects "
                "{\"text\": literal}, {\"paste\": text}, {\"secret\"|"
                "\"secret_env\"|\"secret_file\": ..., \"force\": bool} (Enter "
                "follows), {\"resize\": [rows, cols]}, {\"eof\": true}, "
                "{\"signal\": \"INT\"}, {\"pause_s\": n}, {\"until\": {..., "
                "\"session\": other}}, "
                "{\"click\": text or [row, col], \"button\", \"count\", "
                "\"mods\": \"C-S\"}, "
                "{\"scroll\": -3 (up), \"at\"}, {\"drag\": [from, to]}, "
                "{\"show\": true or [first, last]} (rows). Stops when the "
                "program "
                "ends.",
                mcp::Shape{kInputShape}),
            mcp::Optional("enter", &A::enter, "Then press Enter."),
            mcp::Optional("answers", &A::answers, "As in term_run.",
                          mcp::Terse{}),
            mcp::Unlisted(WatchField(&A::watch)),
            mcp::Optional("until", &A::until,
                          "As in term_wait, after the input.", mcp::Terse{}),
            mcp::Optional("timeout_s", &A::timeout_s, "", TimeoutRules()),
            mcp::Unlisted(mcp::Optional(
                "echo", &A::echo,
                "Show the echo of the input and the prompt, too.")),
            mcp::Unlisted(
                mcp::Optional("notify", &A::notify,
                              "Push output to the user as log messages.")),
            mcp::Unlisted(
                mcp::Optional("confirm", &A::confirm,
                              "Type it even if refused as dangerous.")),
        },
        OutputArgs::BriefFields()));
    return *fields;
  }
};

// Returns the refusal for a session whose keyboard a person has, or whose
// machine cannot be reached.
mcp::ToolResult Refuse(Workbench* bench, const mcp::ToolCall& call,
                       const session::SessionRef& session, ReplyFormat format) {
  Reply refusal(session);
  if (session->person().here()) {
    refusal.AddPersonNote(NotTyped(*session));
  } else {
    refusal.AddNote(
        "not typed: there is no connection to the program's machine");
  }
  mcp::ToolResult result = refusal.Finish(bench, call, format, true);
  result.is_error = true;
  return result;
}

// Returns a note if a plain text is at the cursor and was not entered, because
// some callers expect that text is always entered. Returns none for editors and
// other programs that draw screens, because they use text without Enter.
std::string NotEnteredNote(const SendArgs& args,
                           const session::Session& session,
                           const view::ReaderMark& mark) {
  if (!args.input.is_string() || args.enter || args.until) return "";
  const auto& text = args.input.get_ref<const std::string&>();
  if (text.empty() || text.ends_with('\n')) return "";
  session::Activity activity = session.verdict().LastState().activity;
  bool takes_lines = activity == session::Activity::kPrompt ||
                     activity == session::Activity::kInput ||
                     activity == session::Activity::kSecret;
  if (!takes_lines || !view::DrawsFullScreen(session, mark).empty()) return "";
  std::string_view last(text);
  last.remove_prefix(last.rfind('\n') + 1);
  bool stands = activity == session::Activity::kSecret ||
                session.output().TextBeforeCursor().ends_with(last);
  return stands ? "typed, not entered: enter=true" : "";
}

// Returns a note if ^C is still unread, because the program takes it as a key
// but reads no keys while it computes.
std::string NotInterruptedNote(const typing::Typed& typed,
                               const session::Session& session) {
  const session::InputQueue& input = session.input();
  bool is_read = input.consumed(input.last_write());
  bool is_busy =
      session.verdict().LastState().activity == session::Activity::kBusy;
  if (!typed.interrupted || is_read || !is_busy) return "";
  return "the program has not read <C-c>: {\"signal\": \"INT\"} may end it";
}

// Everything is checked before anything is typed. The baseline is set before
// the first key, so an answer that comes while later steps are being typed
// counts.
Task<mcp::ToolResult> Send(Workbench* bench, mcp::ToolCall* call,
                           SendArgs args) {
  if (absl::Status ok = CheckWatches(args.watch); !ok.ok()) co_return ok;
  waits::Until until = args.until ? *args.until : waits::DefaultUntil();
  ASSIGN_OR_CO_RETURN(waits::Waiting waiting,
                      waits::Waiting::Compile(std::move(until)));
  Time deadline = waits::PatienceFor(CallerOf(call), args.timeout_s).deadline;
  ASSIGN_OR_CO_RETURN(
      Plan plan, Plan::Parse("term_send", {args.input, args.answers},
                             StepDeadline(call, args.timeout_s),
                             bench->clients()->InheritanceOf(*call).get()));
  ASSIGN_OR_CO_RETURN(
      session::SessionRef session,
      co_await bench->FindSession(call, args.session, deadline));
  if (plan.types() || !plan.answers.empty()) {
    bench->clients()->Adopt(*call, *session);
  }
  if (args.notify) {
    bench->notices()->SetOutput(call->connection(), session,
                                bench->clients()->NameFor(*call, *session),
                                *args.notify);
  }
  // Refuse here rather than in the terminal, because the remedy is known here.
  if (session->finished()) {
    std::string fate =
        bench->manager()->list()->tombstones().Of(session->name());
    co_return FailedPrecondition(
        "session '%s' has %s%s: nothing can be typed; term_read shows what it "
        "left, term_open starts a new one",
        bench->clients()->NameFor(*call, *session), StateWord(*session),
        fate.empty() ? "" : ", " + fate);
  }
  if (session->person().here() || session->contact().away_since()) {
    co_return Refuse(bench, *call, session, args.format);
  }
  // The turn is taken before the baseline is set, because output due to others'
  // input does not belong to this call.
  ASSIGN_OR_CO_RETURN(
      typing::Turn turn,
      co_await typing::TakeTurn(session, call->cancellation(), deadline));
  ASSIGN_OR_CO_RETURN(std::string watched,
                      SetWatches(bench, *call, session, args.watch));
  waiting.Begin(session, {session::MarkNow(*session)});
  Player player(bench, call, session, std::move(plan), args.confirm,
                args.ToRequest(*call), bench->MarkOf(*call, *session));
  player.BeginCall();
  typing::Typed typed = co_await player.Type(args.enter, &waiting);
  turn.reset();
  if (player.refused() && typed.done == 0) {
    co_return FailedPrecondition("term_send: %s", typed.stopped);
  }
  waits::Patience patience = waits::PatienceFor(CallerOf(call), args.timeout_s);
  Reply reply = co_await player.AwaitAndTell(&waiting, std::move(patience));
  if (typed.stopped.empty()) {
    reply.AddNote(
        NotEnteredNote(args, *session, bench->MarkOf(*call, *session)));
  }
  reply.AddNote(NotInterruptedNote(typed, *session));
  reply.AddNote(std::move(watched));
  view::ReadRequest request = args.ToRequest(*call);
  request.typed = typed.lines;
  request.hide_echo = !args.echo;
  if (!args.echo) request.interrupted = typed.interrupted;
  mcp::ToolResult result =
      co_await ReadAndReply(bench, call, std::move(reply), session,
                            std::move(request), args.format, false);
  // If nothing was typed, the agent's assumptions are wrong and it must look.
  // If a part was typed, it has had effects, which the reply shows.
  result.is_error =
      player.refused() || (typed.done == 0 && !typed.stopped.empty());
  co_return result;
}

}  // namespace

mcp::Tool SendTool(Workbench* bench) {
  return mcp::MakeTool<SendArgs>(
      bench,
      {.name = "term_send",
       .title = "Terminal input",
       .description =
           "Type text and keys into a session, wait until the program has "
           "processed them (or `until`), and return what changed.",
       .annotations = {.read_only = false,
                       .destructive = true,
                       .idempotent = false,
                       .open_world = true},
       .always_load = true,
       .patience = mcp::kClientPatience},
      Send);
}

}  // namespace glasstty

// term_send: type, wait, and show what changed, in one call.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/status.h"
#include "tools/all_tools.h"
#include "tools/output_args.h"
#include "tools/person_facts.h"
#include "tools/plan.h"
#include "tools/reply.h"
#include "tools/until_args.h"
#include "typing/input.h"
#include "typing/turn.h"

namespace glasstty {
namespace {

struct SendArgs : OutputArgs {
  std::string session;
  // Taken apart by ParseSteps.
  Json input = Json::array();
  // A step of its own behind the others, so text that a program reads in pieces
  // is whole before it.
  bool enter = false;
  std::vector<AnswerArgs> answers;
  std::optional<UntilArgs> until;
  // For the wait after typing; typing has its own limits (typing/input.cc).
  double timeout_s = 5;
  // Shows the echo of what was typed, and the prompt behind the output.
  bool echo = false;
  // Switches pushed output (term_open).
  std::optional<bool> notify;
  // It is meant, whatever the gate says.
  bool confirm = false;

  static const std::vector<mcp::Field<SendArgs>>& Fields() {
    using A = SendArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>(mcp::With<A>(
        {
            mcp::Optional("session", &A::session, "Default: the only one."),
            mcp::Required(
                "input", &A::input,
                "A string: typed literally, newline = Enter. Or a list of "
                "strings with keys (<Enter> <Esc> <Tab> <S-Tab> <C-c> <M-x> "
                "<Up> <PageDown> <F1> <Down*3>; <lt> is '<') and objects "
                "{\"text\": literal}, {\"paste\": text}, {\"secret\"|"
                "\"secret_env\"|\"secret_file\": ..., \"force\": bool} (Enter "
                "follows), {\"resize\": [rows, cols]}, {\"eof\": true}, "
                "{\"signal\": \"INT\"}, {\"pause_s\": n}, {\"until\": {...}}, "
                "{\"click\": text or [row, col], \"button\", \"count\"}, "
                "{\"scroll\": -3 (up), \"at\"}, {\"drag\": [from, to]}, "
                "{\"show\": true} (screen in reply). Stops when the program "
                "ends.",
                mcp::Shape{kInputShape}),
            mcp::Optional("enter", &A::enter, "Then press Enter."),
            mcp::Optional("answers", &A::answers, "As in term_run.",
                          mcp::Terse{}),
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

// A person has the keyboard, or nothing reaches the program's machine.
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

// Everything is checked before anything is typed. The baseline is taken before
// the first key, so an answer that comes while later steps are being typed
// counts.
Task<mcp::ToolResult> Send(Workbench* bench, mcp::ToolCall* call,
                           SendArgs args) {
  std::vector<waits::UntilCheck> checks;
  waits::Until until = args.until ? *args.until : waits::DefaultUntil();
  ASSIGN_OR_CO_RETURN(waits::UntilCheck check,
                      waits::UntilCheck::Compile(std::move(until)));
  checks.push_back(std::move(check));
  ASSIGN_OR_CO_RETURN(Plan plan,
                      Plan::Parse("term_send", {args.input, args.answers}));
  ASSIGN_OR_CO_RETURN(session::SessionRef session,
                      co_await bench->FindSession(call, args.session));
  if (args.notify) {
    bench->notices()->SetOutput(call->connection(), session, *args.notify);
  }
  // Better than a refusal by the terminal: the way out is known here.
  if (session->finished()) {
    std::string fate = bench->manager()->tombstones().Of(session->name());
    co_return FailedPrecondition(
        "session '%s' has %s%s: nothing can be typed; term_read shows what it "
        "left, term_open starts a new one",
        session->name(), StateWord(*session), fate.empty() ? "" : ", " + fate);
  }
  if (session->person().here() || session->away_since()) {
    co_return Refuse(bench, *call, session, args.format);
  }
  // Before the baseline: what others have typed is not an answer to this.
  ASSIGN_OR_CO_RETURN(typing::Turn turn,
                      co_await typing::TakeTurn(session, call->cancellation()));
  checks[0].Begin(session.get(), record::MarkNow(session->terminal()));
  // An answer may come and go before the typing has been acknowledged.
  std::optional<Watch> watch(std::in_place, session->waiters(),
                             [c = &checks[0]] { c->Observe(); });
  Player player(bench, call, session, std::move(plan), args.confirm,
                args.ToRequest(), bench->MarkOf(*call, *session));
  typing::Typed typed = co_await player.Type(args.enter, &checks[0]);
  watch.reset();
  turn.reset();
  if (player.refused() && typed.done == 0) {
    co_return FailedPrecondition("term_send: %s", typed.stopped);
  }
  checks[0].EndTyping();
  Patience patience = PatienceFor(*call, bench->loop()->Now(), args.timeout_s);
  Reply reply = co_await player.AwaitAndTell(&checks, std::move(patience));
  view::ReadRequest request = args.ToRequest();
  request.typed = typed.lines;
  request.hide_echo = !args.echo;
  if (!args.echo) request.interrupted = typed.interrupted;
  mcp::ToolResult result =
      co_await ReadAndReply(bench, call, std::move(reply), session,
                            std::move(request), args.format, false);
  // Nothing was typed: the agent's picture is wrong and it must look. A part
  // that was typed has had effects, which the reply shows.
  result.is_error =
      player.refused() || (typed.done == 0 && !typed.stopped.empty());
  co_return result;
}

}  // namespace

mcp::Tool SendTool(Workbench* bench) {
  return mcp::MakeTool<SendArgs>(
      bench,
      {.name = "term_send",
       .title = "Type into a terminal",
       .description =
           "Type text and keys into a session, wait until the program has "
           "processed them (or `until`), and return what changed.",
       .annotations = {.read_only = false,
                       .destructive = true,
                       .idempotent = false,
                       .open_world = true},
       .always_load = true},
      Send);
}

}  // namespace glasstty

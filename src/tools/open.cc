// term_open: start any program in a terminal of its own and show its first
// screen.
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/home.h"
#include "support/status.h"
#include "tools/all_tools.h"
#include "tools/card.h"
#include "tools/output_args.h"
#include "tools/plan.h"
#include "tools/reach.h"
#include "tools/reply.h"
#include "tools/until_args.h"

namespace glasstty {

using record::ProgramSpec;

enum class Pager { kOff, kKeep };
// The words of the argument; in the order of Pager.
template <>
struct mcp::EnumNames<Pager> {
  static constexpr std::string_view kNames[] = {"off", "keep"};
};

enum class Integration { kAuto, kOff };
template <>
struct mcp::EnumNames<Integration> {
  static constexpr std::string_view kNames[] = {"auto", "off"};
};

namespace {

// A program that takes longer to start gets its input as typed-ahead, as it
// would from a person.
constexpr Duration kReadyPatience = std::chrono::seconds(10);

// Sizes are in cells, times in seconds. The defaults show most programs whole
// and cost a model little.
struct OpenArgs : ProgramSpec, OutputArgs, PlanArgs {
  std::string name;
  // What the other tools call it; either will do.
  std::string session;
  Json on;  // null: here
  int rows = ProgramSpec().size.rows;
  int cols = ProgramSpec().size.cols;
  Integration integration = Integration::kAuto;
  Pager pager = Pager::kOff;
  std::optional<UntilArgs> until;
  // For the first screen; the program goes on whatever comes of it.
  double timeout_s = 5;
  // The client hears of output without asking.
  bool notify = false;
  // The user wants it, whatever the gate says.
  bool confirm = false;

  static const std::vector<mcp::Field<OpenArgs>>& Fields() {
    using A = OpenArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>(mcp::With<A>(
        {
            mcp::Optional("command", &A::command,
                          "Run by the user's shell. Default: that shell."),
            mcp::Optional("argv", &A::argv, "No shell."),
            mcp::Optional("name", &A::name, "For later calls."),
            mcp::Unlisted(
                mcp::Optional("session", &A::session, "An alias of name.")),
            mcp::Optional("on", &A::on,
                          "Elsewhere: ssh:HOST, docker:NAME, sudo:USER.",
                          mcp::Shape{kOnShape}),
            mcp::Optional("cwd", &A::cwd, ""),
            mcp::Optional("env", &A::environment, ""),
            // CheckSize has the same limits and judges the product as well.
            Brief(mcp::Optional("rows", &A::rows, "", mcp::Range{2, 500})),
            Brief(mcp::Optional("cols", &A::cols, "", mcp::Range{2, 1000})),
            mcp::Unlisted(mcp::Optional(
                "pipe", &A::pipe,
                "Use pipes instead of a terminal; separate stderr.")),
            mcp::Unlisted(
                mcp::Optional("integration", &A::integration,
                              "off: start the shell without the script that "
                              "makes it mark prompts and commands.")),
            mcp::Unlisted(mcp::Optional(
                "pager", &A::pager,
                "off: PAGER=cat, so that no pager holds up output.")),
            mcp::Optional("until", &A::until,
                          "As in term_wait; default: input, exit or quiet.",
                          mcp::Terse{}),
            mcp::Optional("timeout_s", &A::timeout_s, "", TimeoutRules()),
            mcp::Unlisted(
                mcp::Optional("scrollback_lines", &A::scrollback_rows,
                              "Lines kept in memory; older lines are read from "
                              "disk, so none is lost.",
                              mcp::Range{0, 1'000'000})),
            mcp::Unlisted(
                mcp::Optional("notify", &A::notify,
                              "Push output to the user as log messages.")),
            mcp::Optional("keep", &A::keep, "Outlives the client."),
            mcp::Optional("record", &A::record_input, "Record input, too."),
            mcp::Unlisted(
                mcp::Optional("confirm", &A::confirm,
                              "Open it even if refused as dangerous.")),
            mcp::Optional("input", static_cast<Json A::*>(&PlanArgs::input),
                          "As in term_send, once it waits.",
                          mcp::Shape{kInputShape}),
            mcp::Optional(
                "answers",
                static_cast<std::vector<AnswerArgs> A::*>(&PlanArgs::answers),
                "As in term_run.", mcp::Terse{}),
        },
        OutputArgs::BriefFields()));
    return *fields;
  }
};

// Error: arguments that contradict each other.
absl::StatusOr<ProgramSpec> ToProgram(const OpenArgs& args) {
  if (!args.command.empty() && !args.argv.empty()) {
    return InvalidArgument("term_open: give 'command' or 'argv', not both");
  }
  if (!args.name.empty() && !args.session.empty()) {
    return InvalidArgument(
        "term_open: 'session' is the same as 'name': give one of them");
  }
  ProgramSpec program = args;
  // Over there, `~` is somebody else's.
  if (args.on.is_null()) {
    ASSIGN_OR_RETURN(program.cwd, ExpandHome(args.cwd));
  }
  program.size = {args.rows, args.cols};
  program.integrate = args.integration == Integration::kAuto;
  program.tame_pagers = args.pager == Pager::kOff;
  return program;
}

// Waits until a program that was just opened is ready for input. False when it
// has ended before, so there is nobody to type to.
Task<bool> AwaitReady(Workbench* bench, mcp::ToolCall* call,
                      session::SessionRef session, view::ReaderMark before) {
  std::vector<waits::UntilCheck> checks;
  checks.push_back(*waits::UntilCheck::Compile(waits::DefaultUntil()));
  checks[0].Begin(session.get(), std::move(before), {});
  co_await AwaitAny(bench->loop(), call,
                    std::vector<session::SessionRef>(1, session), &checks,
                    bench->loop()->Now() + kReadyPatience);
  co_return !session->finished();
}

// In two waits: first for the program to run, which may fail and then leaves no
// trace; then for its first screen, which may not come in time and is shown as
// it is.
Task<mcp::ToolResult> Open(Workbench* bench, mcp::ToolCall* call,
                           OpenArgs args) {
  // Patterns are compiled before anything is started, so that a mistake in them
  // has no effect.
  std::vector<waits::UntilCheck> checks;
  waits::Until until = args.until ? *args.until : waits::DefaultUntil();
  ASSIGN_OR_CO_RETURN(waits::UntilCheck check,
                      waits::UntilCheck::Compile(std::move(until)));
  checks.push_back(std::move(check));
  ASSIGN_OR_CO_RETURN(ProgramSpec program, ToProgram(args));
  if (args.name.empty()) args.name = std::move(args.session);
  ASSIGN_OR_CO_RETURN(Plan plan, Plan::Parse("term_open", args));
  place::Place place;
  if (!args.on.is_null()) {
    ASSIGN_OR_CO_RETURN(place, PlaceOfArgument(args.on));
  }
  GatedCommand gated{program.command, program.argv, program.cwd,
                     nullptr,         args.confirm, place.text};
  ASSIGN_OR_CO_RETURN(
      std::string gate_note,
      co_await bench->gatekeeper()->AllowCommand(call, std::move(gated)));
  session::PlaceLink* where = nullptr;
  if (!args.on.is_null()) {
    ASSIGN_OR_CO_RETURN(where,
                        co_await ReachPlace(bench, call, std::move(place)));
  }
  Time now = bench->loop()->Now();
  // All that the program prints is new.
  view::ReaderMark before;
  ASSIGN_OR_CO_RETURN(session::SessionRef session,
                      co_await bench->OpenSession(
                          call, args.name, std::move(program), &before, where));
  if (args.notify) {
    bench->notices()->SetOutput(call->connection(), session, true);
  }
  // Counted from before the start, as the client counts.
  Patience patience = PatienceFor(*call, now, args.timeout_s);
  bool types = plan.types();
  Player player(bench, call, session, std::move(plan), args.confirm,
                args.ToRequest(), before);
  if (types && co_await AwaitReady(bench, call, session, before)) {
    before = record::MarkNow(session->terminal());
    checks[0].Begin(session.get(), before, {});
    co_await player.Type(false, &checks[0]);
    checks[0].EndTyping();
    patience = PatienceFor(*call, bench->loop()->Now(), args.timeout_s);
  } else {
    checks[0].Begin(session.get(), std::move(before), {});
  }
  Reply reply = co_await player.AwaitAndTell(&checks, std::move(patience));
  if (args.record_input) {
    reply.AddNote(absl::StrFormat(
        "recorded: glasstty cast %s, glasstty tail -f %s; raw log: %s/out.*",
        session->name(), session->name(), bench->manager()->LogPath(*session)));
  }
  reply.AddNote(gate_note);
  co_return co_await ReadAndReply(bench, call, std::move(reply), session,
                                  args.ToRequest(), args.format, false);
}

}  // namespace

mcp::Tool OpenTool(Workbench* bench) {
  mcp::Tool tool = mcp::MakeTool<OpenArgs>(
      bench,
      {.name = "term_open",
       .title = "Open a terminal",
       .description = "Start a program (shell, editor, server ...) in a "
                      "new terminal session and return its first screen.",
       .annotations = {.read_only = false,
                       .destructive = true,
                       .idempotent = false,
                       .open_world = true}},
      Open);
  tool.card = kCardUri;
  return tool;
}

}  // namespace glasstty

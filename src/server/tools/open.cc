// term_open: starts any program in a new terminal and shows its first screen.
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/streams.h"
#include "support/home.h"
#include "support/status.h"
#include "tools/all_tools.h"
#include "tools/card.h"
#include "tools/event_replies.h"
#include "tools/output_args.h"
#include "tools/plan.h"
#include "tools/reach.h"
#include "tools/reply.h"
#include "tools/until_args.h"
#include "typing/shell_run.h"

namespace glasstty {

using record::ProgramSpec;

enum class Pager { kOff, kKeep };
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

// If a program takes longer to start, its input is typed ahead, as a person
// would do.
constexpr Duration kReadyPatience = std::chrono::seconds(10);

// Sizes are in cells, times in seconds. The default size suffices for most
// programs and costs a model few tokens.
struct OpenArgs : ProgramSpec, OutputArgs, PlanArgs {
  std::string name;
  // The same as `name`, which the other tools call `session`.
  std::string session;
  Json on;  // null: this machine
  // If not given, the client's setting is used.
  std::optional<int> rows;
  std::optional<int> cols;
  Integration integration = Integration::kAuto;
  Pager pager = Pager::kOff;
  std::optional<UntilArgs> until;
  Json watch;  // conditions that remain in effect after the call
  // Limits the wait for the first screen; the program continues in any case.
  double timeout_s = 5;
  // Sends output to the client as notifications.
  bool notify = false;
  // The user wants the program, even if the gate objects.
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
            // CheckSize has the same limits and checks the product as well.
            Brief(mcp::Optional("rows", &A::rows, "Default: 40.",
                                mcp::Range{2, 500})),
            Brief(mcp::Optional("cols", &A::cols, "Default: 120.",
                                mcp::Range{2, 1000})),
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
            mcp::Unlisted(WatchField(&A::watch)),
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
            mcp::Unlisted(mcp::Optional("record", &A::record_input,
                                        "Record input, too.")),
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

// Error: some arguments contradict each other.
absl::StatusOr<ProgramSpec> ToProgram(const OpenArgs& args,
                                      const terminal::Size& standard) {
  if (!args.command.empty() && !args.argv.empty()) {
    return InvalidArgument("term_open: give 'command' or 'argv', not both");
  }
  if (!args.name.empty() && !args.session.empty()) {
    return InvalidArgument(
        "term_open: 'session' is the same as 'name': give one of them");
  }
  ProgramSpec program = args;
  // On another machine, `~` is the home of another user.
  if (args.on.is_null()) {
    ASSIGN_OR_RETURN(program.cwd, ExpandHome(args.cwd));
  }
  program.size = {args.rows.value_or(standard.rows),
                  args.cols.value_or(standard.cols)};
  program.integrate = args.integration == Integration::kAuto;
  program.tame_pagers = args.pager == Pager::kOff;
  return program;
}

// Waits until a new program is ready for input, or for kReadyPatience. Returns
// false if it has ended, so nobody would read the input.
Task<bool> AwaitReady(Workbench* bench, mcp::ToolCall* call,
                      session::SessionRef session, view::ReaderMark before) {
  auto ready = waits::Waiting::Compile(waits::DefaultUntil());
  ready->Begin(session, {.baseline = std::move(before), .just_opened = true});
  co_await ready->Await(CallerOf(call), bench->loop()->Now() + kReadyPatience);
  co_return !session->finished();
}

// Waits twice: until the program runs (otherwise, no session is left), and for
// its first screen, which is shown even if it is incomplete when time is up.
Task<mcp::ToolResult> Open(Workbench* bench, mcp::ToolCall* call,
                           OpenArgs args) {
  // Patterns are compiled before anything is started, so that an error in them
  // has no effect.
  if (absl::Status ok = CheckWatches(args.watch); !ok.ok()) co_return ok;
  waits::Until until = args.until ? *args.until : waits::DefaultUntil();
  ASSIGN_OR_CO_RETURN(waits::Waiting waiting,
                      waits::Waiting::Compile(std::move(until)));
  ASSIGN_OR_CO_RETURN(
      ProgramSpec program,
      ToProgram(args, bench->clients()->SettingsOf(*call).size));
  if (args.name.empty()) args.name = std::move(args.session);
  ASSIGN_OR_CO_RETURN(
      Plan plan,
      Plan::Parse("term_open", args, StepDeadline(call, args.timeout_s),
                  bench->clients()->InheritanceOf(*call).get()));
  place::Place place;
  if (!args.on.is_null()) {
    ASSIGN_OR_CO_RETURN(place, PlaceOfArgument(args.on));
  }
  GatedCommand gated{program.command, program.argv, program.cwd,        nullptr,
                     args.confirm,    place,        program.environment};
  ASSIGN_OR_CO_RETURN(
      std::string gate_note,
      co_await bench->gatekeeper()->AllowCommand(call, std::move(gated)));
  session::PlaceLink* where = nullptr;
  if (!args.on.is_null()) {
    // A login may take longer than the default time-out, which is meant for the
    // start of programs.
    bool is_limited = args.timeout_s != OpenArgs().timeout_s;
    Time limit = bench->loop()->Now() + FromSeconds(args.timeout_s);
    ASSIGN_OR_CO_RETURN(where,
                        co_await ReachPlace(bench, call, std::move(place),
                                            is_limited ? limit : Time::max()));
  }
  bool names_shell = where == nullptr && program.argv.empty();
  // The time counts from before the start, as it does for the client.
  waits::Patience patience = waits::PatienceFor(CallerOf(call), args.timeout_s);
  // Everything that the program prints is new.
  view::ReaderMark before;
  ASSIGN_OR_CO_RETURN(session::SessionRef session,
                      co_await bench->OpenSession(
                          call, args.name, std::move(program), &before, where));
  if (args.notify) {
    bench->notices()->SetOutput(call->connection(), session,
                                bench->clients()->NameFor(*call, *session),
                                true);
  }
  // The session is there, whatever becomes of its watches.
  auto watched = SetWatches(bench, *call, session, args.watch);
  bool types = plan.types();
  bool waits = args.until.has_value();
  record::ReadMark beginning = before;
  Player player(bench, call, session, std::move(plan), args.confirm,
                args.ToRequest(*call), before);
  if (types && co_await AwaitReady(bench, call, session, before)) {
    before = session::MarkNow(*session);
    waiting.Begin(session, {before});
    co_await player.Type(false, &waiting);
    patience = waits::PatienceFor(CallerOf(call), args.timeout_s);
  } else {
    waiting.Begin(session,
                  {.baseline = std::move(before), .just_opened = true});
  }
  Reply reply = co_await player.AwaitAndTell(&waiting, std::move(patience));
  if (args.record_input) {
    reply.AddNote(absl::StrFormat(
        "recorded: glasstty cast %s, glasstty tail -f %s; raw log: %s/out.*",
        session->name(), session->name(), bench->manager()->LogPath(*session)));
  }
  reply.AddNote(gate_note);
  reply.AddNote(watched.ok() ? *watched : Message(watched.status()));
  if (names_shell) reply.AddNote(bench->manager()->TakeShellNote(*session));
  reply.AddNote(typing::WhyNoPromptCame(*session));
  if (!types && !waits) reply.LetNextWaitBegin(std::move(beginning));
  co_return co_await ReadAndReply(bench, call, std::move(reply), session,
                                  args.ToRequest(*call), args.format, false);
}

}  // namespace

mcp::Tool OpenTool(Workbench* bench) {
  mcp::Tool tool = mcp::MakeTool<OpenArgs>(
      bench,
      {.name = "term_open",
       .title = "New terminal",
       .description = "Start a program (shell, editor, server ...) in a "
                      "new terminal session and return its first screen.",
       .annotations = {.read_only = false,
                       .destructive = true,
                       .idempotent = false,
                       .open_world = true},
       .patience = mcp::kClientPatience},
      Open);
  tool.card = kCardUri;
  return tool;
}

}  // namespace glasstty

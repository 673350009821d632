#include "tools/run_once.h"

#include <sys/wait.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/visible.h"
#include "session/streams.h"
#include "support/home.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/person_facts.h"
#include "tools/reach.h"
#include "tools/session_words.h"
#include "typing/shell_run.h"

namespace glasstty {

using session::Evidence;
using session::SessionRef;
using typing::ShellRun;

namespace {

// If a program leaves its screen unchanged for this time, and the kernel does
// not reveal what it waits for (as with tmux), it is assumed to wait for input.
constexpr Duration kStillScreen = std::chrono::milliseconds(400);

// Returns a note for a caller that relies on the state of the old session, or
// that has misspelt the name.
std::string OpenedNote(Workbench* bench, const mcp::ToolCall& call,
                       const std::string& name, const std::string& fate) {
  if (!fate.empty()) {
    return absl::StrFormat("opened a new shell: session '%s' %s", name, fate);
  }
  std::vector<std::string> names;
  for (const SessionRef& session : bench->manager()->All()) {
    if (session->finished()) continue;
    names.push_back(bench->clients()->NameFor(call, *session));
  }
  return absl::StrFormat("opened a new shell: there was no session '%s'%s",
                         name,
                         names.empty() ? "" : "; open: " + Join(names, ", "));
}

// Opens a session for a shell. Opening may take a while, because the client may
// be asked for its roots. If a parallel call opens a session of the same name
// meanwhile, returns that session, and sets `*is_new` to false.
Task<absl::StatusOr<SessionRef>> OpenOrFind(Workbench* bench,
                                            mcp::ToolCall* call,
                                            std::string name,
                                            record::ProgramSpec shell,
                                            session::PlaceLink* where,
                                            Time deadline, bool* is_new) {
  auto opened =
      co_await bench->OpenSession(call, name, std::move(shell), nullptr, where);
  *is_new = !absl::IsAlreadyExists(opened.status());
  if (*is_new) co_return opened;
  auto found = co_await bench->FindSession(call, std::move(name), deadline,
                                           Workbench::Servers::kThis);
  co_return found;
}

// Returns the session whose shell will run the command, and opens it if there
// is none of that name. In that case, sets `*note`, unless the caller expects a
// new session.
Task<absl::StatusOr<SessionRef>> FindShell(Workbench* bench,
                                           mcp::ToolCall* call,
                                           std::string name, Time deadline,
                                           std::string* note) {
  bool is_default = name.empty() || name == kDefaultSession;
  // The default session may be one that an earlier server has left.
  if (absl::Status ready = bench->Prepare(); !ready.ok()) co_return ready;
  if (name.empty()) name = bench->clients()->DefaultSession(*call, note);
  const session::SessionManager& manager = *bench->manager();
  auto found = co_await bench->FindSession(call, name, deadline,
                                           Workbench::Servers::kThis);
  std::string fate = manager.list().tombstones().Of(name);
  if (found.ok()) {
    // A "main" that has exited is replaced by a new one.
    if (!is_default || !(*found)->finished()) co_return found;
    fate = "had exited";
  } else if (manager.guests().IsElsewhere(name)) {
    // Both servers may have a session of this name.
    if (!is_default) fate = "is open in another server, which keeps it";
  } else if (!absl::IsNotFound(found.status())) {
    co_return found;
  }
  std::string earlier_note = *note;
  if (!is_default || !fate.empty()) {
    *note = OpenedNote(bench, *call, name, fate);
  }
  record::ProgramSpec shell;
  shell.size = bench->clients()->SettingsOf(*call).size;
  bool is_new = false;
  auto opened =
      co_await OpenOrFind(bench, call, std::move(name), std::move(shell),
                          nullptr, deadline, &is_new);
  if (!opened.ok()) co_return opened;
  if (!is_new) {
    *note = std::move(earlier_note);
    co_return opened;
  }
  std::string shell_note = bench->manager()->TakeShellNote(**opened);
  if (!note->empty() && !shell_note.empty()) *note += "; ";
  *note += shell_note;
  co_return opened;
}

// Returns a note about lines that this client had not been shown when the
// command was typed. The mark skips them, so the reply must mention them.
std::string EarlierNote(const session::Session& session,
                        const record::ReadMark& seen, record::LinePlace end) {
  // For a client that has seen nothing of the session yet (revision 0), the
  // session's past is not reported.
  if (seen.lines_revision == 0) return "";
  const record::History& history = session.output().history();
  int64_t first = std::max(seen.line, history.first_line());
  std::vector<terminal::Line> lines = history.Lines(first, first + 1);
  record::TrimToPlaces({}, end, &lines);
  // The prompt may have been shown as well. Then it is still in the same place,
  // even if readline, which assumes that a prompt begins its row, has
  // overwritten the text before the prompt.
  bool is_same_prompt = end.line == seen.line && end.bytes <= seen.shown.size();
  bool is_seen =
      lines.empty() || is_same_prompt ||
      seen.shown.starts_with(lines[0].text) ||
      !record::StripShown(seen, session.output().terminal(), &lines[0]);
  if (first == seen.line && is_seen) ++first;
  int64_t count = end.line - first + (end.bytes > 0 ? 1 : 0);
  if (count <= 0) return "";
  return absl::StrFormat("%s came before it: term_read from_line=%d lines=%d",
                         Counted(count, "line"), first + 1, count);
}

// Reads the output to show of a command that has ended, asks or is still
// running.
view::ReadResult ReadOutput(const session::Session& session,
                            const ShellRun& run, const PlanReport& plan,
                            const view::Limits& limits) {
  view::ReadRequest request;
  request.limits = limits;
  view::ReadResult result;
  const record::CommandBlock* block = run.block();
  // The screens of vim and similar programs are shown instead of their lines.
  bool is_screen = !view::DrawsFullScreen(session, run.baseline()).empty();
  if (!plan.shown.empty()) {
    // Steps of the plan have shown the beginning, so only the rest is shown.
    request.mode = view::ReadMode::kAuto;
    request.hide_echo = true;
    result = view::ReadSession(session, plan.mark, request);
  } else if (block != nullptr && !is_screen) {
    request.mode = view::ReadMode::kCommand;
    request.command = block->number;
    result = view::ReadSession(session, run.baseline(), request);
    result.facts.clear();
  } else {
    // For a screen, or without marks of the shell, show the output since the
    // command was typed.
    request.mode = view::ReadMode::kAuto;
    result = view::ReadSession(session, run.baseline(), request);
  }
  // The mark of a screen stays, so the next reply contains only the changes,
  // and later ones the lines that the screen did not show.
  if (result.mark.screen == nullptr) result.mark = session::MarkNow(session);
  return result;
}

// Returns "" for a command that has ended, runs, or asks for a secret: the
// reply itself says what to do about the last two.
std::string OpenEndNote(const waits::Result& wait) {
  bool is_told = wait.reason.kind == Reason::Detail::kRemark;
  bool waits = wait.reason.word == "input" && !is_told;
  return waits ? "it waits for input: term_send" : "";
}

// Describes text that was at the prompt: the caller, the shell itself or a
// background job may have put it there.
std::string ClearedNote(const ShellRun& run) {
  if (!run.cleared()) return "";
  // The text is empty if it is unknown, or if there was none: a server that has
  // taken over the session cannot tell.
  if (run.cleared()->empty()) return "the line was cleared first, as by <C-c>";
  return absl::StrFormat(
      "%s was left at the prompt: it was discarded first, as by <C-c>",
      Quoted(*run.cleared()));
}

// Returns a note about text that hooks of the shell printed after the command's
// output (direnv, nvm). It is not part of the output, and the mark skips it.
std::string PrefaceNote(const ShellRun& run, const session::Session& session) {
  const record::CommandLog& commands = session.events().commands();
  const record::CommandBlock* block = run.block();
  bool is_there = block != nullptr && block->finished && block->run == 0 &&
                  commands.phase() == record::ShellPhase::kReady;
  if (!is_there || commands.preface().empty()) return "";
  constexpr size_t kMostShown = 300;
  const std::string& text = commands.preface();
  int64_t first = block->end.line, last = commands.prompt_begin().line;
  std::string all;
  if (text.size() > kMostShown) {
    all = absl::StrFormat(" (term_read from_line=%d lines=%d)", first + 1,
                          last - first + 1);
  }
  return absl::StrFormat("printed before the prompt%s: %s", all,
                         Quoted(text, kMostShown));
}

// Returns "run-1", "run-2" and so on, because earlier sessions stay readable.
std::string FreeName(const session::SessionManager& manager) {
  for (int n = 1;; ++n) {
    std::string name = absl::StrFormat("run-%d", n);
    bool taken = false;
    for (const SessionRef& session : manager.All()) {
      if (session->name() == name) taken = true;
    }
    if (!taken) return name;
  }
}

// Resolves `cwd` as a shell in `directory` would. A "~" has been expanded, if
// possible.
std::string Absolute(const std::string& cwd, const std::string& directory) {
  if (cwd.empty()) return directory;
  return cwd[0] == '/' ? cwd : directory + "/" + cwd;
}

// Uses the command's block if the shell reported one, or else the output during
// the run. The end is exclusive.
void SetPlaces(const ShellRun& run, RunOutcome* outcome) {
  const terminal::Terminal& terminal = outcome->session->output().terminal();
  outcome->begin = {run.baseline().line + 1, 0};
  outcome->end = {terminal.cursor_line(), terminal.cursor_line_bytes()};
  const record::CommandBlock* block = run.block();
  if (block == nullptr) return;
  outcome->begin = block->output;
  if (block->finished) outcome->end = block->end;
}

void TellEnd(const ShellRun& run, RunOutcome* outcome) {
  const session::Session& session = *outcome->session;
  const record::CommandBlock* block = run.block();
  Evidence evidence = session.verdict().LastState().evidence;
  if (block != nullptr && block->finished) {
    outcome->command = *block;
    outcome->status = block->exit_status;
    // Behind ssh, the directory is unknown. A guess is based on the foreground
    // process, which is ssh itself.
    if (evidence != Evidence::kGuess) {
      std::string directory = WorkingDirectory(session);
      bool here = session.origin().place.empty();
      outcome->directory = here ? HomeRelative(directory) : directory;
    }
  } else if (outcome->ended && evidence == Evidence::kShell &&
             block == nullptr) {
    outcome->notes.push_back(
        "it did not start: there was nothing to run, it was interrupted, "
        "or its shell was left");
  } else if (outcome->ended) {
    outcome->notes.push_back(
        "a shell waits at its prompt, but the command's end was not seen "
        "(exit, exec, or a nested shell), so its status is not known");
  }
}

// Returns a predicate that is met by the end of a command, or at the first
// moment at which it waits for input. `end` itself is met later, once it is
// certain that the command asks.
Predicate LookForReader(session::Session* s, Predicate end) {
  return [s, interest = s->questions().Keep(session::Interest::kState),
          end = std::move(end)]() -> Look {
    Look look = end();
    if (look.met()) return look;
    std::optional<session::SessionState> state = s->verdict().settled_state();
    bool reads = state && (state->activity == session::Activity::kInput ||
                           state->activity == session::Activity::kSecret);
    if (!reads) return look;
    if (state->evidence == Evidence::kGuess) {
      // A guess counts only for a program that has drawn a screen and leaves it
      // unchanged.
      if (!s->verdict().DrawsScreens()) return look;
      Time due = s->output().last_output() + kStillScreen;
      if (s->loop()->Now() < due) return Look(false, std::min(look.again, due));
    }
    return Reason{session::ActivityName(state->activity), ""};
  };
}

// Returns a predicate that is met by the end of a command, or once it runs.
Predicate LookForBegin(Predicate end, std::function<bool()> runs) {
  return [end = std::move(end), runs = std::move(runs)]() -> Look {
    Look look = end();
    return look.met() || !runs() ? look : Look(Reason{"begun", ""});
  };
}

// Returns whether the plan's first step is itself a wait.
bool BeginsWithWait(const Plan& plan) {
  typing::Step::Kind first = plan.steps.front().kind;
  return first == typing::Step::Kind::kUntil ||
         first == typing::Step::Kind::kPause;
}

// Waits for the end of a command that was started, plays its plan meanwhile,
// and stores the result in `outcome`. The first step is typed when the command
// asks for the first time, because text typed before that might reach the
// shell. A plan that begins with a wait begins once the command `runs`, because
// the plan itself says when to type.
Task<bool> PlayAndAwait(Workbench* bench, mcp::ToolCall* call, RunSpec spec,
                        view::ReaderMark mark, Predicate look,
                        std::function<bool()> runs, view::Limits limits,
                        Time deadline, RunOutcome* outcome) {
  std::vector<SessionRef> sessions(1, outcome->session);
  bool types = spec.plan.types();
  view::ReadRequest show;
  show.limits = limits;
  Predicate first = look;
  if (types) {
    first = BeginsWithWait(spec.plan)
                ? LookForBegin(look, std::move(runs))
                : LookForReader(outcome->session.get(), look);
  }
  Player player(bench, call, outcome->session, std::move(spec.plan),
                spec.confirm, show, std::move(mark));
  outcome->wait = co_await player.Await(std::move(first), deadline);
  std::string_view word = outcome->wait.reason.word;
  if (types && (word == "input" || word == "secret" || word == "begun")) {
    co_await player.Type(false, nullptr);
    waits::Result wait = co_await player.Await(std::move(look), deadline);
    wait.waited += outcome->wait.waited;
    outcome->wait = wait;
  } else if (types) {
    outcome->notes.push_back(
        "'input' was not typed: the command never asked for it");
  }
  outcome->plan = player.Report();
  co_await bench->AwaitStates(call, sessions);
  co_return true;
}

// Returns the session of a shell on another machine, and opens it if there is
// none of that name. Sets `*gate` to the gate's note if the gate had to be
// asked before opening, and `*opened` to a note if opening was unexpected.
Task<absl::StatusOr<SessionRef>> FindShellThere(
    Workbench* bench, mcp::ToolCall* call, const RunSpec* spec, Time deadline,
    std::optional<std::string>* gate, std::string* opened) {
  auto place = PlaceOfArgument(spec->on);
  if (!place.ok()) co_return place.status();
  std::string name = spec->session.empty() ? place->name : spec->session;
  auto found = co_await bench->FindSession(call, name, deadline,
                                           Workbench::Servers::kThis);
  if (found.ok() && !(*found)->finished()) {
    if ((*found)->origin().place == place->text) co_return found;
    co_return FailedPrecondition("session '%s' does not run on %s", name,
                                 place->text);
  }
  std::string fate = bench->manager()->list()->tombstones().Of(name);
  if (found.ok()) fate = "had exited";
  if (!fate.empty()) *opened = OpenedNote(bench, *call, name, fate);
  GatedCommand gated = GatedCommandOf(*spec, spec->cwd, nullptr, *place);
  auto note =
      co_await bench->gatekeeper()->AllowCommand(call, std::move(gated));
  if (!note.ok()) co_return note.status();
  *gate = *std::move(note);
  std::string place_text = place->text;
  auto where = co_await ReachPlace(bench, call, *std::move(place), deadline);
  if (!where.ok()) co_return where.status();
  record::ProgramSpec shell;
  bool is_new = false;
  found = co_await OpenOrFind(bench, call, name, std::move(shell), *where,
                              deadline, &is_new);
  if (is_new || !found.ok()) co_return found;
  opened->clear();
  if ((*found)->origin().place == place_text) co_return found;
  co_return FailedPrecondition("session '%s' does not run on %s", name,
                               place_text);
}

Task<absl::StatusOr<RunOutcome>> RunInShell(Workbench* bench,
                                            mcp::ToolCall* call,
                                            const RunSpec* spec,
                                            view::Limits limits,
                                            Time deadline) {
  RunOutcome outcome;
  std::string opened_note;
  std::optional<std::string> gate_note;
  absl::StatusOr<SessionRef> found;
  if (spec->on.is_null()) {
    found =
        co_await FindShell(bench, call, spec->session, deadline, &opened_note);
  } else {
    found = co_await FindShellThere(bench, call, spec, deadline, &gate_note,
                                    &opened_note);
  }
  if (!found.ok()) co_return found.status();
  SessionRef session = *found;
  outcome.session = session;
  if (session->person().here()) {
    Reply refusal(session);
    refusal.AddNote(NotTyped(*session));
    co_return FailedPrecondition("%s", refusal.Header());
  }
  uint64_t turns = session->person().begun();
  // Only the gate and the criteria of success use this `cwd`. The shell expands
  // the text itself, and may know more homes.
  std::string cwd = ExpandHome(spec->cwd).value_or(spec->cwd);
  outcome.ran_in = Absolute(cwd, WorkingDirectory(*session));
  if (!gate_note) {
    GatedCommand gated = GatedCommandOf(*spec, cwd, session, place::Place());
    auto note =
        co_await bench->gatekeeper()->AllowCommand(call, std::move(gated));
    if (!note.ok()) co_return note.status();
    gate_note = *std::move(note);
  }
  typing::ShellCommand command{*spec->command, spec->cwd, spec->env};
  std::string directory = bench->manager()->PathForProgram(*session);
  auto started = co_await ShellRun::Start(session, std::move(command),
                                          std::move(directory), deadline,
                                          call->cancellation());
  if (!started.ok()) co_return started.status();
  ShellRun run = *std::move(started);
  bench->clients()->Adopt(*call, *session);
  bench->gatekeeper()->ForgetLine(*session);
  Predicate look = [&run] { return run.Check(); };
  std::function<bool()> runs = [&run] { return run.block() != nullptr; };
  co_await PlayAndAwait(bench, call, *spec, run.baseline(), std::move(look),
                        std::move(runs), limits, deadline, &outcome);
  // The reason "prompt" means that the shell waits again; after any other, the
  // end of the command has not been seen.
  outcome.ended = outcome.wait.reason.word == "prompt";
  outcome.read = ReadOutput(*session, run, outcome.plan, limits);
  SetPlaces(run, &outcome);
  TellEnd(run, &outcome);
  if (session->person().begun() != turns) {
    outcome.notes.push_back("a person typed while it ran");
  }
  outcome.notes.push_back(std::move(opened_note));
  outcome.notes.push_back(OpenEndNote(outcome.wait));
  outcome.quotations = {PrefaceNote(run, *session), ClearedNote(run)};
  if (run.is_terminal_repaired()) {
    outcome.notes.emplace_back("repaired: tty modes");
  }
  outcome.notes.push_back(*gate_note);
  outcome.notes.push_back(
      EarlierNote(*session, bench->MarkOf(*call, *session), run.earlier_end()));
  co_return outcome;
}

// Returns a predicate that is met when a program in its own session has ended,
// or asks.
Predicate LookAlone(session::Session* s, Time began) {
  // A program without a terminal can only end.
  bool may_ask = !s->origin().program.pipe;
  auto interest =
      may_ask ? s->questions().Keep(session::Interest::kState) : nullptr;
  return [s, began, may_ask, interest]() -> Look {
    if (s->finished()) return Reason{"exited", ""};
    if (!may_ask) return false;
    auto state = s->verdict().settled_state();
    Time next = s->questions().NextAnswer();
    if (!state) return Look(false, next);
    Look asking = typing::IsAsking(*s, *state, began);
    if (asking.met()) return Reason{session::ActivityName(state->activity), ""};
    return Look(false, std::min(asking.again, next));
  };
}

Task<absl::StatusOr<RunOutcome>> RunAlone(Workbench* bench, mcp::ToolCall* call,
                                          const RunSpec* spec,
                                          view::Limits limits, Time deadline) {
  absl::StatusOr<std::string> cwd = spec->cwd;
  // On another machine, `~` is the home of another user.
  if (spec->on.is_null()) cwd = ExpandHome(spec->cwd);
  if (!cwd.ok()) co_return cwd.status();
  place::Place place;
  if (!spec->on.is_null()) {
    auto named = PlaceOfArgument(spec->on);
    if (!named.ok()) co_return named.status();
    place = *std::move(named);
  }
  GatedCommand gated = GatedCommandOf(*spec, *cwd, nullptr, place);
  auto gate_note =
      co_await bench->gatekeeper()->AllowCommand(call, std::move(gated));
  if (!gate_note.ok()) co_return gate_note.status();
  if (absl::Status s = bench->manager()->Prepare(); !s.ok()) co_return s;
  session::PlaceLink* where = nullptr;
  bool place_is_here = place.text.empty();
  if (!place_is_here) {
    auto reached = co_await ReachPlace(bench, call, std::move(place), deadline);
    if (!reached.ok()) co_return reached.status();
    where = *reached;
  }
  record::ProgramSpec program;
  program.command = spec->command.value_or("");
  program.argv = spec->argv;
  program.pipe = !spec->argv.empty();
  program.environment = spec->env;
  program.cwd = *std::move(cwd);
  terminal::Size standard = bench->clients()->SettingsOf(*call).size;
  program.size = {spec->rows.value_or(standard.rows),
                  spec->cols.value_or(standard.cols)};
  auto opened = co_await bench->OpenSession(call, FreeName(*bench->manager()),
                                            program, nullptr, where);
  // A parallel call may have taken the name while the client was asked for its
  // roots, which are known now.
  if (absl::IsAlreadyExists(opened.status())) {
    opened = co_await bench->OpenSession(call, FreeName(*bench->manager()),
                                         std::move(program), nullptr, where);
  }
  if (!opened.ok()) co_return opened.status();
  RunOutcome outcome;
  outcome.session = *opened;
  if (place_is_here && spec->argv.empty()) {
    outcome.notes.push_back(bench->manager()->TakeShellNote(*outcome.session));
  }
  outcome.ran_in = outcome.session->origin().program.cwd;
  session::Session* s = outcome.session.get();
  bool pipe = s->origin().program.pipe;
  // Ends the input, because a program that reads it would wait forever.
  if (pipe) s->Write("", wire::kWriteEof);
  Predicate look = LookAlone(s, bench->loop()->Now());
  std::function<bool()> runs = [] { return true; };
  co_await PlayAndAwait(bench, call, *spec, bench->MarkOf(*call, *s),
                        std::move(look), std::move(runs), limits, deadline,
                        &outcome);
  outcome.ended = s->finished();
  if (s->verdict().exited()) {
    int status = s->life().exit_status();
    // As in shells, the status is 128 + N for signal N.
    outcome.status =
        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  // The last bytes may have begun an update of the screen whose rest is still
  // to come. This needs no time-out, because frames have a short one.
  co_await s->WaitFor([s] { return s->verdict().IsFrameWhole(); }, Time::max(),
                      call->cancellation());
  view::ReadRequest read;
  read.limits = limits;
  read.mode = pipe ? view::ReadMode::kStream : view::ReadMode::kAuto;
  outcome.read = view::ReadSession(*s, bench->MarkOf(*call, *s), read);
  outcome.end = {s->output().terminal().cursor_line(),
                 s->output().terminal().cursor_line_bytes()};
  outcome.notes.push_back(OpenEndNote(outcome.wait));
  outcome.notes.push_back(*gate_note);
  co_return outcome;
}

}  // namespace

GatedCommand GatedCommandOf(const RunSpec& spec, std::string cwd,
                            SessionRef session, place::Place place) {
  return {spec.command.value_or(""),
          spec.argv,
          std::move(cwd),
          std::move(session),
          spec.confirm || spec.was_allowed,
          std::move(place),
          spec.env,
          nullptr,
          spec.is_second};
}

Task<absl::StatusOr<RunOutcome>> RunOnce(Workbench* bench, mcp::ToolCall* call,
                                         const RunSpec* spec,
                                         view::Limits limits, Time deadline) {
  if (spec->fresh || !spec->argv.empty()) {
    return RunAlone(bench, call, spec, limits, deadline);
  }
  return RunInShell(bench, call, spec, limits, deadline);
}

Reply ReplyOf(const RunOutcome& outcome) {
  Reply reply(outcome.session);
  reply.SetRun();
  reply.SetWait(outcome.wait);
  reply.SetRead(outcome.read);
  if (outcome.command) reply.SetCommand(*outcome.command);
  reply.SetDirectory(outcome.directory);
  outcome.plan.Tell(&reply);
  for (const std::string& note : outcome.notes) reply.AddNote(note);
  for (const std::string& note : outcome.quotations) reply.AddQuotation(note);
  return reply;
}

}  // namespace glasstty

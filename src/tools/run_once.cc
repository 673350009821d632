#include "tools/run_once.h"

#include <sys/wait.h>

#include <algorithm>
#include <utility>

#include "support/home.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/person_facts.h"
#include "tools/reach.h"
#include "typing/shell_run.h"

namespace glasstty {

using session::Evidence;
using session::SessionRef;
using typing::ShellRun;

namespace {

// Of an output; more is refused rather than taken in part. Bytes.
constexpr size_t kMaxOutput = 16 << 20;

// A program that shows a screen for so long without a change, and of which the
// kernel does not tell what it waits for (tmux), is taken to wait for input.
constexpr Duration kStillScreen = std::chrono::milliseconds(400);

// Opened at the first command, also where it is named, so that a first call
// needs no other.
constexpr char kDefaultSession[] = "main";

// `session` is null for a command in a session of its own, opened on `place`
// where that is not empty; `cwd` without "~".
GatedCommand GatedCommandOf(const RunSpec& spec, std::string cwd,
                            SessionRef session, std::string place) {
  return {spec.command.value_or(""), spec.argv,    std::move(cwd),
          std::move(session),        spec.confirm, std::move(place)};
}

// What a caller should know who counts on the session's state, or has misspelt
// its name. `others` are the sessions that are open.
std::string OpenedNote(const std::string& name, const std::string& fate,
                       const std::vector<SessionRef>& others) {
  if (!fate.empty()) {
    return absl::StrFormat("opened a new shell: session '%s' %s", name, fate);
  }
  std::vector<std::string> names;
  for (const SessionRef& session : others) {
    if (!session->finished()) names.push_back(session->name());
  }
  return absl::StrFormat("opened a new shell: there was no session '%s'%s",
                         name,
                         names.empty() ? "" : "; open: " + Join(names, ", "));
}

// The session whose shell is to run the command, opened when there is none of
// that name; `*note` then says so, unless it was to be expected.
Task<absl::StatusOr<SessionRef>> FindShell(Workbench* bench,
                                           mcp::ToolCall* call,
                                           std::string name,
                                           std::string* note) {
  bool is_default = name.empty() || name == kDefaultSession;
  if (name.empty()) name = bench->clients()->DefaultSession(*call, note);
  const session::SessionManager& manager = *bench->manager();
  auto found = co_await bench->FindSession(call, name);
  std::string fate = manager.FateOf(name);
  if (found.ok()) {
    // "main" that has exited makes room for a new one.
    if (!is_default || !(*found)->finished()) co_return found;
    fate = "had exited";
  } else if (!absl::IsNotFound(found.status())) {
    co_return found;
  }
  if (!is_default || !fate.empty()) {
    *note = OpenedNote(name, fate, manager.All());
  }
  record::ProgramSpec shell;
  co_return co_await bench->OpenSession(call, std::move(name),
                                        std::move(shell));
}

// Lines that this client had not been shown when the command was typed. The
// mark passes over them, so the reply names them.
std::string EarlierNote(const session::Session& session,
                        const record::ReadMark& seen, record::LinePlace end) {
  // Who has seen nothing of the session yet (revision 0) is not told of its
  // past.
  if (seen.lines_revision == 0) return "";
  const record::History& history = session.history();
  int64_t first = std::max(seen.line, history.first_line());
  std::vector<terminal::Line> lines = history.Lines(first, first + 1);
  record::TrimToPlaces({}, end, &lines);
  // The prompt behind it may have been shown as well. It stands where it stood,
  // though readline may have written over what is in front of it: it takes the
  // prompt for the first thing in its row.
  bool is_same_prompt = end.line == seen.line && end.bytes <= seen.shown.size();
  bool is_seen = lines.empty() || is_same_prompt ||
                 seen.shown.starts_with(lines[0].text) ||
                 !record::StripShown(seen, &lines[0]);
  if (first == seen.line && is_seen) ++first;
  int64_t count = end.line - first + (end.bytes > 0 ? 1 : 0);
  if (count <= 0) return "";
  return absl::StrFormat(
      "%s came before it: term_read session=%s mode=history from_line=%d "
      "lines=%d",
      Counted(count, "line"), session.name(), first + 1, count);
}

// What is shown of a command that ended, asks or goes on.
view::ReadResult ReadOutput(const session::Session& session,
                            const ShellRun& run, const PlanReport& plan,
                            const view::Limits& limits) {
  view::ReadRequest request;
  request.limits = limits;
  view::ReadResult result;
  const record::CommandBlock* block = run.block();
  // vim and the like are looked at, not read.
  bool is_screen = !view::DrawsFullScreen(session, run.baseline()).empty();
  if (!plan.shown.empty()) {
    // The rest of it: what was shown before needs no second showing.
    request.mode = view::ReadMode::kAuto;
    request.hide_echo = true;
    result = view::ReadSession(session, plan.mark, request);
  } else if (block != nullptr && !is_screen) {
    request.mode = view::ReadMode::kCommand;
    request.command = block->number;
    result = view::ReadSession(session, run.baseline(), request);
    result.facts =
        result.left_out > 0 ? absl::StrFormat("command %d", block->number) : "";
  } else {
    // Without marks of the shell: what was printed since the command was typed.
    request.mode = view::ReadMode::kAuto;
    result = view::ReadSession(session, run.baseline(), request);
  }
  result.mark = record::MarkNow(session.terminal());
  return result;
}

// "" for a command that has ended.
std::string OpenEndNote(const WaitResult& wait) {
  if (!wait.reason.detail.empty()) return wait.reason.detail;
  if (wait.reason.word == "input" || wait.reason.word == "secret") {
    return "the command waits for input: answer with term_send, or wait for "
           "its end with term_wait {\"until\": {\"state\": \"prompt\"}}";
  }
  return "";
}

// What stood at the prompt: the caller, the shell itself or a background job
// may have put it there.
std::string ClearedNote(const ShellRun& run) {
  if (!run.cleared()) return "";
  return absl::StrFormat(
      "%s: it was discarded first, as by <C-c>",
      run.cleared()->empty()
          ? "something had been typed but not entered"
          : "\"" + CleanText(*run.cleared()) + "\" was left at the prompt");
}

// "run-1", "run-2" ...: those that ended before stay readable.
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

// `cwd`, without "~", as a shell in `directory` understands it.
std::string Absolute(const std::string& cwd, const std::string& directory) {
  if (cwd.empty()) return directory;
  return cwd[0] == '/' ? cwd : directory + "/" + cwd;
}

// The block where the shell told of one, else what was printed meanwhile.
// Places are {line, byte in it}, [begin, end).
void SetPlaces(const ShellRun& run, RunOutcome* outcome) {
  const terminal::Terminal& terminal = outcome->session->terminal();
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
  Evidence evidence = session.LastState().evidence;
  if (block != nullptr && block->finished) {
    outcome->command = *block;
    outcome->status = block->exit_status;
    // Of the far side of ssh nothing is known. A guess comes from the
    // foreground process, which is ssh itself.
    if (evidence != Evidence::kGuess) {
      std::string directory = CurrentDirectory(session);
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

// The end of a command, or the first moment at which it waits for input: sooner
// than the look that `end` takes to be sure that it asks.
Look LookForReader(session::Session* s, Look end) {
  return [s, interest = s->Keep(session::Interest::kState),
          end = std::move(end)](Time* again) -> std::optional<waits::Reason> {
    if (std::optional<waits::Reason> reason = end(again)) return reason;
    std::optional<session::SessionState> state = s->settled_state();
    bool reads = state && (state->activity == session::Activity::kInput ||
                           state->activity == session::Activity::kSecret);
    if (!reads) return std::nullopt;
    if (state->evidence == Evidence::kGuess) {
      // Only what has drawn a screen and leaves it as it is.
      if (!s->DrawsScreens()) return std::nullopt;
      Time due = s->last_output() + kStillScreen;
      if (s->loop()->Now() < due) {
        *again = std::min(*again, due);
        return std::nullopt;
      }
    }
    return waits::Reason{session::ActivityName(state->activity), ""};
  };
}

// Waits for the end of a command that was started, plays its plan meanwhile,
// and fills what that leaves in `outcome`. The first step is typed when the
// command asks for the first time: what was typed before might reach the shell.
Task<bool> PlayAndAwait(Workbench* bench, mcp::ToolCall* call, RunSpec spec,
                        view::ReaderMark mark, Look look, view::Limits limits,
                        Time deadline, RunOutcome* outcome) {
  std::vector<SessionRef> sessions(1, outcome->session);
  bool types = spec.plan.types();
  view::ReadRequest show;
  show.limits = limits;
  Player player(bench, call, outcome->session, std::move(spec.plan),
                spec.confirm, show, std::move(mark));
  std::vector<Player*> players(1, &player);
  Look first = types ? LookForReader(outcome->session.get(), look) : look;
  outcome->wait = co_await AwaitAnswering(bench->loop(), call, sessions,
                                          players, std::move(first), deadline);
  std::string_view word = outcome->wait.reason.word;
  if (types && (word == "input" || word == "secret")) {
    co_await player.Type(false, nullptr);
    WaitResult wait = co_await AwaitAnswering(
        bench->loop(), call, sessions, players, std::move(look), deadline);
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

// A shell at another place, opened when there is none of that name. `*gate`:
// the gate's note, if it had to be asked before anything was opened; `*opened`:
// that it was, where that was not to be expected.
Task<absl::StatusOr<SessionRef>> FindShellThere(
    Workbench* bench, mcp::ToolCall* call, const RunSpec* spec,
    std::optional<std::string>* gate, std::string* opened) {
  auto place = PlaceOfArgument(spec->on);
  if (!place.ok()) co_return place.status();
  std::string name = spec->session.empty() ? place->name : spec->session;
  auto found = co_await bench->FindSession(call, name);
  if (found.ok() && !(*found)->finished()) {
    if ((*found)->origin().place == place->text) co_return found;
    co_return FailedPrecondition("session '%s' does not run on %s", name,
                                 place->text);
  }
  std::string fate = bench->manager()->FateOf(name);
  if (found.ok()) fate = "had exited";
  if (!fate.empty()) *opened = OpenedNote(name, fate, {});
  auto note = co_await bench->gatekeeper()->AllowCommand(
      call, GatedCommandOf(*spec, spec->cwd, nullptr, place->text));
  if (!note.ok()) co_return note.status();
  *gate = *std::move(note);
  auto where = co_await ReachPlace(bench, call, *std::move(place));
  if (!where.ok()) co_return where.status();
  record::ProgramSpec shell;
  co_return co_await bench->OpenSession(call, std::move(name), std::move(shell),
                                        nullptr, *where);
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
    found = co_await FindShell(bench, call, spec->session, &opened_note);
  } else {
    found =
        co_await FindShellThere(bench, call, spec, &gate_note, &opened_note);
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
  // The shell knows better who is at home where: it gets what was given.
  std::string cwd = ExpandHome(spec->cwd).value_or(spec->cwd);
  outcome.ran_in = Absolute(cwd, CurrentDirectory(*session));
  if (!gate_note) {
    auto note = co_await bench->gatekeeper()->AllowCommand(
        call, GatedCommandOf(*spec, cwd, session, ""));
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
  bench->gatekeeper()->ForgetLine(*session);
  Look look = [&run](Time* again) { return run.Look(again); };
  co_await PlayAndAwait(bench, call, *spec, run.baseline(), std::move(look),
                        limits, deadline, &outcome);
  // The shell waits again; any other reason leaves the command running.
  outcome.ended = outcome.wait.reason.word == "prompt";
  outcome.read = ReadOutput(*session, run, outcome.plan, limits);
  SetPlaces(run, &outcome);
  TellEnd(run, &outcome);
  if (session->person().begun() != turns) {
    outcome.notes.push_back("a person typed while it ran");
  }
  outcome.notes.push_back(std::move(opened_note));
  outcome.notes.push_back(OpenEndNote(outcome.wait));
  outcome.notes.push_back(ClearedNote(run));
  outcome.notes.push_back(*gate_note);
  outcome.notes.push_back(
      EarlierNote(*session, bench->MarkOf(*call, *session), run.earlier_end()));
  co_return outcome;
}

// For a program in a session of its own: it has ended, or asks.
Look LookAlone(session::Session* s, Time began) {
  // What has no terminal can only end.
  bool may_ask = !s->origin().program.pipe;
  auto interest = may_ask ? s->Keep(session::Interest::kState) : nullptr;
  return [s, began, may_ask,
          interest](Time* again) -> std::optional<waits::Reason> {
    if (s->finished()) return waits::Reason{"exited", ""};
    if (!may_ask) return std::nullopt;
    auto state = s->settled_state();
    *again = s->loop()->Now() + session::Prober::kAgain;
    if (!state || !typing::IsAsking(*s, *state, began, again))
      return std::nullopt;
    return waits::Reason{session::ActivityName(state->activity), ""};
  };
}

Task<absl::StatusOr<RunOutcome>> RunAlone(Workbench* bench, mcp::ToolCall* call,
                                          const RunSpec* spec,
                                          view::Limits limits, Time deadline) {
  absl::StatusOr<std::string> cwd = spec->cwd;
  // Over there, `~` is somebody else's.
  if (spec->on.is_null()) cwd = ExpandHome(spec->cwd);
  if (!cwd.ok()) co_return cwd.status();
  place::Place place;
  if (!spec->on.is_null()) {
    auto named = PlaceOfArgument(spec->on);
    if (!named.ok()) co_return named.status();
    place = *std::move(named);
  }
  auto gate_note = co_await bench->gatekeeper()->AllowCommand(
      call, GatedCommandOf(*spec, *cwd, nullptr, place.text));
  if (!gate_note.ok()) co_return gate_note.status();
  if (absl::Status s = bench->manager()->Prepare(); !s.ok()) co_return s;
  session::PlaceLink* where = nullptr;
  if (!place.text.empty()) {
    auto reached = co_await ReachPlace(bench, call, std::move(place));
    if (!reached.ok()) co_return reached.status();
    where = *reached;
  }
  record::ProgramSpec program;
  program.command = spec->command.value_or("");
  program.argv = spec->argv;
  program.pipe = !spec->argv.empty();
  program.environment = spec->env;
  program.cwd = *std::move(cwd);
  program.size = {spec->rows, spec->cols};
  auto opened = co_await bench->OpenSession(call, FreeName(*bench->manager()),
                                            std::move(program), nullptr, where);
  if (!opened.ok()) co_return opened.status();
  RunOutcome outcome;
  outcome.session = *opened;
  outcome.ran_in = outcome.session->origin().program.cwd;
  session::Session* s = outcome.session.get();
  bool pipe = s->origin().program.pipe;
  // Nobody is there to answer it. A program that reads stdin would wait for
  // ever.
  if (pipe) s->Write("", wire::kWriteEof);
  Look look = LookAlone(s, bench->loop()->Now());
  co_await PlayAndAwait(bench, call, *spec, bench->MarkOf(*call, *s),
                        std::move(look), limits, deadline, &outcome);
  outcome.ended = s->finished();
  if (s->exited()) {
    int status = s->exit_status();
    // As a shell has it: 128 + N for signal N.
    outcome.status =
        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  // The last bytes may have begun a change of the screen whose rest is still on
  // its way; without a time-out, since the frame's own is short.
  co_await s->WaitFor([s] { return s->IsFrameWhole(); }, Time::max(),
                      call->cancellation());
  view::ReadRequest read;
  read.limits = limits;
  read.mode = pipe ? view::ReadMode::kStream : view::ReadMode::kAuto;
  outcome.read = view::ReadSession(*s, bench->MarkOf(*call, *s), read);
  outcome.end = {s->terminal().cursor_line(),
                 s->terminal().cursor_line_bytes()};
  outcome.notes.push_back(OpenEndNote(outcome.wait));
  outcome.notes.push_back(*gate_note);
  co_return outcome;
}

}  // namespace

Task<absl::StatusOr<RunOutcome>> RunOnce(Workbench* bench, mcp::ToolCall* call,
                                         const RunSpec* spec,
                                         view::Limits limits, Time deadline) {
  if (spec->fresh || !spec->argv.empty()) {
    return RunAlone(bench, call, spec, limits, deadline);
  }
  return RunInShell(bench, call, spec, limits, deadline);
}

absl::StatusOr<std::string> OutputOf(const RunOutcome& outcome) {
  std::string text;
  const record::History& history = outcome.session->history();
  int64_t next = outcome.begin.line;
  while (next <= outcome.end.line) {
    constexpr int64_t kStep = 1'000;
    int64_t to = std::min(next + kStep, outcome.end.line + 1);
    std::vector<terminal::Line> lines = history.Lines(next, to);
    record::TrimToPlaces(outcome.begin, outcome.end, &lines);
    for (const terminal::Line& line : lines) text += line.text + "\n";
    if (text.size() > kMaxOutput) {
      return ResourceExhausted(
          "term_run: an output to compare or parse is larger than %d MiB; "
          "write it to a file instead",
          kMaxOutput >> 20);
    }
    next = to;
  }
  return text;
}

Reply ReplyOf(const RunOutcome& outcome) {
  Reply reply(outcome.session);
  reply.SetWait(outcome.wait);
  reply.SetRead(outcome.read);
  if (outcome.command) reply.SetCommand(*outcome.command);
  reply.SetDirectory(outcome.directory);
  outcome.plan.Tell(&reply);
  for (const std::string& note : outcome.notes) reply.AddNote(note);
  return reply;
}

}  // namespace glasstty

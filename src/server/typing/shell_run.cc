#include "typing/shell_run.h"

#include <sys/random.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/shells.h"
#include "base/visible.h"
#include "session/environment.h"
#include "session/shell_terminal.h"
#include "session/streams.h"
#include "support/status.h"
#include "support/text.h"
#include "typing/far_shell.h"
#include "typing/input.h"
#include "typing/prompt_line.h"
#include "typing/turn.h"
#include "wire/session_files.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The patience for a prompt: the previous command may just be ending, and a
// shell that starts reads its start-up files first.
constexpr Duration kPromptPatience = milliseconds(300);
constexpr Duration kFirstPromptPatience = seconds(10);
constexpr Duration kGuessPatience = milliseconds(1000);
// The patience after a key that ends programs, because the program and its
// shell may have to clean up.
constexpr Duration kEndPatience = seconds(2);
// The patience for the prompt that follows an end mark.
constexpr Duration kPromptAfterEnd = milliseconds(500);
// The patience once the shell has reported that it runs its hooks or draws its
// prompt.
constexpr Duration kPromptDrawn = seconds(2);
// A program that has been in read(2) on the terminal for this long, without
// printing, asks for something. A program that only polls may be working.
constexpr Duration kReadQuiet = milliseconds(150);
constexpr Duration kPollQuiet = milliseconds(1000);

// A shell marks the beginning of a command within this time after Enter.
constexpr Duration kRedraw = milliseconds(50);

// fish itself shows the reason above the line.
constexpr char kKept[] =
    "the shell has not run the command and keeps it at its prompt: it is "
    "incomplete (an open quote or bracket) or invalid; <C-c> discards it";
constexpr char kUnfinished[] =
    "the shell wants the rest of the command (a quote, a bracket or a "
    "here-document is open); <C-c> discards it";

uint64_t RandomRun() {
  uint32_t random = 0;
  while (random == 0) {
    if (getrandom(&random, sizeof random, 0) < 0) random = 1;
  }
  return random;
}

// Returns the program's last line as a sentence, or "" if it printed nothing.
std::string LastLineOf(const session::Session& session) {
  // Earlier lines would not explain the end.
  constexpr int64_t kLines = 50;
  const record::History& history = session.output().history();
  std::vector<terminal::Line> lines =
      history.Lines(history.end_line() - kLines, history.end_line());
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    std::string_view text = TrimBlanks(line->text);
    if (!text.empty()) return ". Its last line: " + Quoted(text);
  }
  return "";
}

std::string StatusOf(const session::Session& session) {
  if (!session.verdict().exited()) return "status unknown";
  std::string exit = session::ExitText(session.life().exit_status());
  return exit[0] >= '0' && exit[0] <= '9' ? "status " + exit : exit;
}

// Returns the argument `argv` for another shell to try: the same one without
// its start-up files, or bash or sh if the flag for that is not known.
std::string OtherShell(const session::Session& session) {
  const std::string& program = session.origin().program.argv[0];
  const Shell* shell = FindShell(program);
  bool has_flag = shell != nullptr && !shell->bare.empty();
  std::string path = has_flag ? program : FirstShell({});
  std::string flag(has_flag ? shell->bare : ShellOrSh(path).bare);
  return "[\"" + path + (flag.empty() ? "" : "\", \"" + flag) + "\"]";
}

// Returns the remedy for this state; the caller adds the general one.
std::string_view WayOn(const session::SessionState& state) {
  switch (state.activity) {
    case session::Activity::kInput:
    case session::Activity::kSecret:
      return "Answer it with term_send";
    default:
      return "Wait with term_wait {\"until\": {\"state\": \"prompt\"}}";
  }
}

// Explains why no command can be typed now.
absl::Status NoPrompt(const session::Session& session) {
  if (session.finished()) {
    std::string why = WhyNoPromptCame(session);
    if (!why.empty()) {
      return FailedPrecondition("session '%s': %s", session.name(), why);
    }
    return FailedPrecondition(
        "session '%s' has exited (%s): no command can be run in it; term_open "
        "starts a new one%s",
        session.name(), StatusOf(session), LastLineOf(session));
  }
  if (session.contact().away_since()) {
    return FailedPrecondition(
        "session '%s': there is no connection to %s now: nothing was typed, "
        "and its programs keep running there (term_list tells more)",
        session.name(), session.origin().place);
  }
  // The server sees a prompt only if it can read the log.
  if (std::string trouble = session.verdict().LogTrouble(); !trouble.empty()) {
    return FailedPrecondition("session '%s': nothing was typed: %s",
                              session.name(), trouble);
  }
  session::SessionState state = session.verdict().LastState();
  if (state.activity == session::Activity::kPrompt) {
    return FailedPrecondition(
        "session '%s' shows what may be a prompt (%s in %s), but on a screen "
        "that the program draws, from which the output of a command cannot be "
        "told: nothing was typed. Type it with term_send and read the screen%s",
        session.name(), session::StateText(state),
        QuotedUnlessPlain(state.program), BetterWay(state));
  }
  return FailedPrecondition(
      "session '%s' is not at a shell's prompt but %s%s%s: nothing was typed. "
      "%s, or run the command elsewhere (fresh=true)%s",
      session.name(), session::StateText(state),
      state.program.empty() ? "" : " in ",
      state.program.empty() ? "" : QuotedUnlessPlain(state.program),
      WayOn(state), BetterWay(state));
}

// Returns an error if a wait has ended in a way after which nothing can be
// typed at all.
absl::Status CannotGoOn(const session::Session& session, Outcome outcome) {
  if (session.finished()) return NoPrompt(session);
  if (outcome == Outcome::kClosed) {
    return FailedPrecondition("session '%s' was closed: nothing was typed",
                              session.name());
  }
  if (outcome == Outcome::kCancelled) {
    return FailedPrecondition("the call was cancelled: nothing was typed");
  }
  return absl::OkStatus();
}

bool WasKilled(const record::CommandBlock& block) {
  constexpr int kSignals = 128;
  return block.exit_status.value_or(0) > kSignals;
}

// Returns true if a signal ended the last command of one kind: the commands
// that the integrated shell marks, or those that are typed with their own
// marks.
bool WasKilled(const session::Session& session, bool integrated) {
  const auto& blocks = session.events().commands().blocks();
  auto last =
      std::find_if(blocks.rbegin(), blocks.rend(),
                   [integrated](const record::CommandBlock& block) {
                     return block.trusted && (block.run == 0) == integrated;
                   });
  return last != blocks.rend() && WasKilled(*last);
}

ShellPlace PlaceOf(session::Session* owner, const session::SessionState& state,
                   std::string path) {
  const session::Session& session = *owner;
  bool is_far = state.evidence == session::Evidence::kGuess;
  // The probe names only the foreground program (ssh), so the shell is the one
  // that AskFarShell has found, or bash until then.
  const Shell& shell = is_far && session.input().far_shell() != nullptr
                           ? *session.input().far_shell()
                           : ShellOrSh(is_far ? "bash" : state.program);
  return {&shell,
          session.output().terminal().modes().bracketed_paste,
          session.events().commands().runs_lines(),
          is_far,
          [owner](const auto& name, const auto& content) {
            return owner->files()->Put(name, content);
          },
          std::move(path)};
}

// Adds the facts that can be found out only about a shell on this machine.
void LookCloser(session::Session* session, bool integrated, ShellPlace* place) {
  const wire::ProbeAnswer* probe = session->questions().prober().last();
  bool is_near = !place->is_far && session->origin().place.empty();
  place->reads_files =
      is_near && probe != nullptr &&
      session::ReadsFilesIn(probe->foreground_pid, place->path);
  // For all other shells, the shell itself or the server repairs the terminal.
  bool keeps_settings = integrated
                            ? place->shell->name == "fish"
                            : place->reads_files && place->shell->edits_lines;
  if (!keeps_settings) return;
  bool is_noted = session->files()->TakeTerminalNote();
  place->needs_mending = is_noted || WasKilled(*session, integrated);
}

// Returns the beginning of the current prompt, as far as it is known.
record::LinePlace PromptBegin(const session::Session& session,
                              bool integrated) {
  const record::CommandLog& commands = session.events().commands();
  int64_t line = session.output().terminal().cursor_line();
  // A background job may have printed after the prompt.
  bool is_there = integrated && commands.prompt_end().line == line;
  return is_there ? commands.prompt_begin() : record::LinePlace{line, 0};
}

// Returns the run slot, which is released with the last copy. Error: the slot
// was not free in time.
Task<absl::StatusOr<std::shared_ptr<session::Session>>> AwaitSlot(
    session::SessionRef session, Time deadline, Cancellation* cancellation) {
  session::Session* s = session.get();
  // Several calls may wait, and the first one to be woken takes the slot.
  while (!s->mutable_input()->turn()->TakeRunSlot()) {
    Outcome free = co_await s->WaitFor(
        [s] { return !s->input().turn().run_slot_taken() || s->finished(); },
        deadline, cancellation);
    absl::Status cannot = CannotGoOn(*s, free);
    if (!cannot.ok()) co_return cannot;
    if (free == Outcome::kMet) continue;
    co_return FailedPrecondition(
        "another term_run is under way in session '%s', so nothing was typed; "
        "wait for it, or run this elsewhere (session=..., fresh=true)",
        s->name());
  }
  co_return std::shared_ptr<session::Session>(
      s, [session](session::Session* taken) {
        taken->mutable_input()->turn()->ReleaseRunSlot();
      });
}

bool PromptComes(record::ShellPhase phase) {
  return phase == record::ShellPhase::kDone ||
         phase == record::ShellPhase::kPrompting;
}

// Returns for how much longer a missing prompt may still be expected.
Duration MorePatience(const session::Session& session) {
  session::SessionState state = session.verdict().LastState();
  // The state can be guessed only after a quiet time (session/state.cc).
  if (state.evidence == session::Evidence::kGuess) return kGuessPatience;
  // Some prompts take long, for example if they call git in a large tree. Also,
  // a shell at its prompt may not have read the entered line yet.
  record::ShellPhase phase = session.events().commands().phase();
  bool comes = PromptComes(phase) || phase == record::ShellPhase::kReady ||
               session.input().prompt().run_ended();
  if (state.activity != session::Activity::kBusy) return Duration::zero();
  if (comes) return kFirstPromptPatience;
  const session::InputQueue::Typing& typing = session.input().typing();
  bool ends = typing.may_end_program &&
              session.loop()->Now() < typing.at + kEndPatience;
  return ends ? kEndPatience : Duration::zero();
}

// Returns the state of a shell at its prompt. Error: no prompt comes in time.
Task<absl::StatusOr<session::SessionState>> AwaitPrompt(
    session::Session* session, Time deadline, Cancellation* cancellation) {
  Loop* loop = session->loop();
  std::optional<session::SessionState> state;
  Duration patience = session->input().prompt().has_been_ready()
                          ? kPromptPatience
                          : kFirstPromptPatience;
  auto is_ready = [session, &state] {
    state = session->verdict().settled_state();
    bool is_far = state && state->evidence == session::Evidence::kGuess;
    bool ready =
        state && (is_far ? MayBeFarShell(*session, *state)
                         : state->activity == session::Activity::kPrompt);
    return Look(ready || session->finished(),
                session->questions().NextAnswer());
  };
  auto interest = session->questions().Keep(session::Interest::kState);
  Outcome outcome = co_await session->WaitFor(
      is_ready, std::min(loop->Now() + patience, deadline), cancellation);
  if (outcome == Outcome::kTimeout) {
    outcome = co_await session->WaitFor(
        is_ready, std::min(loop->Now() + MorePatience(*session), deadline),
        cancellation);
  }
  absl::Status cannot = CannotGoOn(*session, outcome);
  if (!cannot.ok()) co_return cannot;
  if (outcome != Outcome::kMet) co_return NoPrompt(*session);
  co_return *state;
}

// Repairs the terminal of a shell without our integration and without a line
// editor. Returns whether there was anything to repair. Error: the shell would
// not read the line, and the terminal cannot be repaired.
absl::StatusOr<bool> MendTerminal(const session::Session& session,
                                  const ShellPlace& place) {
  const wire::ProbeAnswer* probe = session.questions().prober().last();
  bool may_need_it = !place.is_far && !place.shell->edits_lines;
  if (!may_need_it || probe == nullptr) return false;
  auto repair = session::TerminalRepair::kNotPossible;
  if (session.origin().place.empty()) {
    repair = session::RepairTerminal(probe->foreground_pid,
                                     WasKilled(session, false));
  }
  // Other shells may edit lines in this mode, even if they are called sh.
  bool is_deaf = repair == session::TerminalRepair::kNotPossible &&
                 !probe->canonical && place.shell->name == "dash";
  if (is_deaf) {
    return FailedPrecondition(
        "session '%s': a program has left its terminal without lines (stty "
        "-icanon), so its shell would not see Enter: nothing was typed. "
        "term_send {\"input\": [\"stty sane iutf8<C-j>\"]} repairs it",
        session.name());
  }
  return repair == session::TerminalRepair::kRepaired;
}

}  // namespace

std::string WhyNoPromptCame(const session::Session& session) {
  const record::ProgramSpec& program = session.origin().program;
  // A shell that was given a command line ends when the line has run.
  bool is_shell = program.argv.size() == 1 ||
                  (!program.argv.empty() && program.argv[1].starts_with('-') &&
                   program.argv[1] != "-c");
  bool is_users =
      !program.argv.empty() &&
      program.argv[0] == session::UserShell(program.inheritance.get());
  bool is_known = is_users || (!program.argv.empty() &&
                               FindShell(program.argv[0]) != nullptr);
  bool had_prompt = session.events().commands().prompts() > 0 ||
                    session.input().prompt().has_been_ready();
  if (!session.verdict().exited() || !is_shell || !is_known || had_prompt)
    return "";
  std::string setting =
      is_users ? "; if it always ends so, set SHELL in glasstty's environment"
               : "";
  return absl::StrFormat(
      "its shell %s ended (%s) before it showed a prompt, perhaps in one of "
      "its "
      "start-up files. Without those: term_open {\"name\": \"%s\", \"argv\": "
      "%s}%s%s",
      QuotedUnlessPlain(program.argv[0]), StatusOf(session), session.name(),
      OtherShell(session), setting, LastLineOf(session));
}

Look IsAsking(const session::Session& session,
              const session::SessionState& state, Time since) {
  if (state.activity == session::Activity::kSecret) return true;
  if (state.activity != session::Activity::kInput) return false;
  // A program that cannot be examined may be working on another machine.
  if (state.evidence == session::Evidence::kGuess &&
      !session::LooksLikeQuestion(session.output().TextBeforeCursor())) {
    return false;
  }
  const wire::ProbeAnswer* answer = session.questions().prober().last();
  bool reads = answer != nullptr && answer->waiting == wire::Waiting::kRead;
  Time due = std::max(session.output().last_output(), since) +
             (reads ? kReadQuiet : kPollQuiet);
  return Look(session.loop()->Now() >= due, due);
}

Task<absl::StatusOr<ShellRun>> ShellRun::Start(session::SessionRef session,
                                               ShellCommand command,
                                               std::string directory,
                                               Time deadline,
                                               Cancellation* cancellation) {
  session::Session* s = session.get();
  auto slot = co_await AwaitSlot(session, deadline, cancellation);
  if (!slot.ok()) co_return slot.status();
  // The turn is taken after the slot, because the call that has the slot may
  // need the turn to type answers to its command.
  auto turn = co_await TakeTurn(session, cancellation, deadline);
  if (!turn.ok()) co_return turn.status();
  auto state = co_await AwaitPrompt(s, deadline, cancellation);
  if (!state.ok()) co_return state.status();
  // This check is needed here, too, because clearing the prompt may type.
  Typist typist{session, cancellation, session::MarkNow(*s)};
  if (co_await CheckForOtherReader(&typist) == Next::kStop) {
    co_return FailedPrecondition("term_run: the command was not typed: %s",
                                 typist.result.stopped);
  }
  if (IsCancelled(cancellation)) co_return CannotGoOn(*s, Outcome::kCancelled);
  bool integrated = state->evidence == session::Evidence::kShell;
  ShellPlace place = PlaceOf(s, *state, directory);
  LookCloser(s, integrated, &place);
  if (absl::Status ok = CheckCommand(command, place); !ok.ok()) co_return ok;
  bool is_mended = false;
  if (!integrated) {
    ASSIGN_OR_CO_RETURN(is_mended, MendTerminal(*s, place));
  }
  // An earlier command may have left this file behind.
  s->files()->Drop(wire::kEnvironmentName);
  ShellRun run(session, integrated ? Way::kIntegrated : Way::kTyped);
  run.slot_ = *std::move(slot);
  run.is_terminal_repaired_ = is_mended;
  run.earlier_end_ = PromptBegin(*s, integrated);
  auto cleared = co_await ClearPrompt(s, *state, deadline, cancellation);
  if (!cleared.ok()) co_return cleared.status();
  run.cleared_ = *std::move(cleared);
  // Nothing was typed, so the text at the prompt is output of a background job.
  if (!run.cleared_ && integrated && !TextAtPrompt(*s).empty()) {
    run.earlier_end_ = {s->output().terminal().cursor_line(),
                        s->output().terminal().cursor_line_bytes()};
  }
  bool is_far = state->evidence == session::Evidence::kGuess;
  if (is_far && s->input().far_shell() == nullptr) {
    auto shell =
        co_await AskFarShell(session, RandomRun(), deadline, cancellation);
    if (!shell.ok()) co_return shell.status();
    place = PlaceOf(s, *state, directory);
    if (absl::Status ok = CheckCommand(command, place); !ok.ok()) co_return ok;
  }
  // Clearing may have led to a new prompt.
  place.takes_pastes = s->output().terminal().modes().bracketed_paste;
  absl::StatusOr<std::string> form;
  if (integrated) {
    form = FormAtPrompt(command, place);
  } else {
    run.run_ = RandomRun();
    s->ExpectRun(run.run_);
    form = MarkedForm(command, place, run.run_);
  }
  if (!form.ok()) co_return form.status();
  Step paste;
  paste.kind = Step::Kind::kPaste;
  paste.text = *std::move(form);
  // One write holds the line and its Enter, so a person who takes the keyboard
  // cannot type between them. Editors with marked prompts allow this.
  paste.submits = integrated && paste.text.find('\n') == std::string::npos;
  bool enter = !paste.submits;
  run.blocks_before_ = s->events().commands().started();
  run.baseline_ = session::MarkNow(*s);
  std::vector<Step> steps;
  steps.push_back(std::move(paste));
  Typed typed =
      co_await TypeSteps(session, std::move(steps), enter, cancellation);
  bool nothing = typed.done == 0 && typed.partly == 0;
  if (typed.cancelled && nothing) co_return CannotGoOn(*s, Outcome::kCancelled);
  if (!typed.stopped.empty()) {
    co_return FailedPrecondition("term_run: the command was not typed%s: %s",
                                 nothing ? "" : " whole", typed.stopped);
  }
  run.typed_at_ = s->loop()->Now();
  run.prompts_before_ = s->events().commands().prompts();
  run.interest_ = s->questions().Keep(session::Interest::kState);
  co_return run;
}

// Returns the first matching command, because the shell may run further
// commands (traps, hooks).
const record::CommandBlock* ShellRun::block() const {
  const record::CommandLog& commands = session_->events().commands();
  for (int64_t n = blocks_before_ + 1; n <= commands.started(); ++n) {
    const record::CommandBlock* block = commands.Find(n);
    if (block != nullptr && block->trusted && block->run == run_) return block;
  }
  return nullptr;
}

bool ShellRun::Ended() const {
  const record::CommandBlock* own = block();
  return own != nullptr && own->finished;
}

// Returns true if the session's own shell shows a new prompt although no end
// mark has come. The shell in which the line was typed has been left, or there
// was nothing to run (a comment). The delay is needed because some shells draw
// their prompt again after Enter.
bool ShellRun::HasNewPrompt() const {
  return session_->events().commands().prompts() > prompts_before_ &&
         (way_ == Way::kTyped || block() == nullptr) &&
         session_->loop()->Now() >= typed_at_ + kRedraw;
}

Look ShellRun::Check() {
  Look look = LookAtState();
  // Before the command is over, the shell may not have read the file yet.
  bool is_over = look.met() && (look.reason->word == "prompt" ||
                                look.reason->word == "exited");
  if (is_over) session_->files()->Drop(wire::kEnvironmentName);
  return look;
}

bool ShellRun::RepairsTerminal() {
  const session::Prober& prober = session_->questions().prober();
  if (repaired_after_) return prober.answered() <= *repaired_after_;
  const record::CommandBlock* own = block();
  bool is_near = session_->origin().place.empty() && way_ == Way::kTyped;
  bool may_need_it = is_near && Ended() && WasKilled(*own);
  if (!may_need_it || prober.current() == nullptr) return false;
  auto repair = session::RepairTerminal(prober.current()->foreground_pid, true);
  if (repair != session::TerminalRepair::kRepaired) return false;
  repaired_after_ = prober.sent();
  is_terminal_repaired_ = true;
  return true;
}

Look ShellRun::LookAtState() {
  if (session_->finished()) return Reason{"exited", ""};
  if (RepairsTerminal()) {
    return Look(false, session_->questions().NextAnswer());
  }
  record::ShellPhase phase = session_->events().commands().phase();
  auto state = session_->verdict().settled_state();
  Look later(false, session_->questions().NextAnswer());
  if (!state) return later;
  const record::CommandBlock* own = block();
  // If the command's shell has been left, no end mark comes.
  bool settled = session_->loop()->Now() >=
                 typed_at_ + (own != nullptr ? kReadQuiet : kPromptAfterEnd);
  if (state->activity == session::Activity::kPrompt) {
    // The command may also have left or replaced its shell without an end mark.
    bool stands_there = own == nullptr && way_ == Way::kIntegrated &&
                        (HasNewPrompt() || settled) &&
                        !TextAtPrompt(*session_).empty();
    // fish keeps the line in its editor.
    if (stands_there) return Reason{"input", kKept, Reason::Detail::kRemark};
    if (Ended() || HasNewPrompt() || settled) return Reason{"prompt", ""};
    return later;
  }
  // After this time, the prompt is one that cannot be recognized.
  Duration patience = PromptComes(phase) ? kPromptDrawn : kPromptAfterEnd;
  if (Ended() && own->ended &&
      session_->loop()->Now() >= *own->ended + patience) {
    return Reason{"prompt", ""};
  }
  if (phase == record::ShellPhase::kContinuation && own == nullptr) {
    return Reason{"input", kUnfinished, Reason::Detail::kRemark};
  }
  Look asking = IsAsking(*session_, *state, typed_at_);
  if (asking.met()) return Reason{session::ActivityName(state->activity), ""};
  later.again = std::min(later.again, asking.again);
  return later;
}

}  // namespace glasstty::typing

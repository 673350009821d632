// Why a command is not simply typed.
//
// Text at a prompt goes through a line editor: a tab completes, "!" recalls
// history, a newline runs what is there so far. Bracketed paste stops the first
// and the last, so it is the rule where the shell has it. What it does not stop
// goes into a file that the shell sources, in the same shell, so `cd`, aliases
// and functions keep their effect.
//
// A line for a shell without integration quotes the command for `eval`, which
// takes it whole, newlines and all, between two printfs that make the marks.
#include "typing/shell_run.h"

#include <sys/random.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/shells.h"
#include "support/status.h"
#include "support/text.h"
#include "typing/input.h"
#include "typing/prompt_line.h"

namespace glasstty {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The command before may be ending just now; a shell that starts reads its
// files first.
constexpr Duration kPromptPatience = milliseconds(300);
constexpr Duration kStartPatience = seconds(10);
// The shell prints its prompt after the mark of the end.
constexpr Duration kPromptAfterEnd = milliseconds(500);
// A program that reads the terminal for so long, and prints nothing, asks for
// something. One that only polls may be at work besides.
constexpr Duration kReadQuiet = milliseconds(150);
constexpr Duration kPollQuiet = milliseconds(1000);

// Between Enter and the mark of the command's beginning.
constexpr Duration kRedraw = milliseconds(50);

constexpr char kUnfinished[] =
    "the shell wants the rest of the command (a quote, a bracket or a "
    "here-document is open); <C-c> gives it up";
constexpr char kCommandFile[] = "command";

bool HasControls(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') ||
           c == 0x7F;
  });
}

// In a subshell, so that it ends with the command.
std::string WithSurroundings(const ShellCommand& command) {
  std::string setup;
  if (!command.cwd.empty()) setup = "cd -- " + ShellQuote(command.cwd);
  for (const auto& [name, value] : command.environment) {
    setup += absl::StrFormat("%sexport %s=%s", setup.empty() ? "" : " && ",
                             name, ShellQuote(value));
  }
  if (setup.empty()) return command.text;
  return absl::StrFormat("(%s && {\n%s\n})", setup, command.text);
}

bool IsVariableName(std::string_view name) {
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return c == '_' || (c >= 'a' && c <= 'z') ||
                  (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

// Before anything is typed.
absl::Status Check(const ShellCommand& command, const Shell& shell) {
  bool surrounded = !command.cwd.empty() || !command.environment.empty();
  if (surrounded && !shell.is_posix) {
    return InvalidArgument(
        "term_run: 'cwd' and 'env' for one command need a shell like sh; put "
        "them into the command, or use fresh=true");
  }
  for (const auto& [name, value] : command.environment) {
    if (!IsVariableName(name)) {
      return InvalidArgument("term_run: env: '%s' is no variable's name", name);
    }
  }
  if (command.text.find('\0') != std::string::npos) {
    return InvalidArgument("term_run: 'command' holds a NUL byte");
  }
  return absl::OkStatus();
}

uint64_t RandomRun() {
  uint32_t random = 0;
  while (random == 0) {
    if (getrandom(&random, sizeof random, 0) < 0) random = 1;
  }
  return random;
}

// A line that marks its own beginning and end. The blank in front keeps it out
// of the history of shells that are set so.
std::string MarkedLine(std::string_view text, std::string_view status,
                       uint64_t run) {
  return absl::StrFormat(
      " printf '\\033]133;C;run=%%s\\007' %d; eval %s; "
      "printf '\\033]133;D;%%s;run=%%s\\007' %s %d",
      run, ShellQuote(text), status, run);
}

// For the integrated shell. Error: the file cannot be written.
absl::StatusOr<std::string> TypedForm(const Session& session,
                                      const std::string& text,
                                      const Shell& shell,
                                      const std::string& directory) {
  bool has_lines = text.find('\n') != std::string::npos;
  bool is_plain = session.terminal().modes().bracketed_paste ||
                  (!has_lines && text.find('\t') == std::string::npos);
  if (is_plain && !RecallsHistory(shell, text) && !HasControls(text)) {
    // bash runs pasted lines one by one, each with marks of its own.
    if (has_lines && shell.name == "bash") return "{\n" + text + "\n}";
    return text;
  }
  if (!ReplaceFileAt(session.OpenDirectory()->get(), kCommandFile,
                     text + "\n")) {
    return ErrnoStatus("write", directory + "/" + kCommandFile);
  }
  return absl::StrFormat("%s %s", shell.source,
                         ShellQuote(directory + "/" + kCommandFile));
}

// Why no command can be typed now, in words.
absl::Status NoPrompt(const Session& session) {
  if (session.finished()) {
    return FailedPrecondition(
        "session '%s' has exited: no command can be run in it; term_open "
        "starts a new one",
        session.name());
  }
  SessionState state = session.LastState();
  return FailedPrecondition(
      "session '%s' is not at a shell's prompt but %s%s%s: nothing was typed. "
      "Answer it with term_send, wait with term_wait {\"state\": \"prompt\"}, "
      "or run the command elsewhere (session=..., fresh=true)",
      session.name(), StateText(state), state.program.empty() ? "" : " in ",
      state.program);
}

// The session's slot, given back with the last copy. Error: not free in time.
Task<absl::StatusOr<std::shared_ptr<Session>>> AwaitSlot(
    SessionRef session, Time deadline, Cancellation* cancellation) {
  Session* s = session.get();
  // Several may wait, and the first to be woken takes it.
  while (!s->TakeRunSlot()) {
    Outcome free = co_await s->WaitFor(
        [s] { return !s->run_slot_taken() || s->finished(); }, deadline,
        cancellation);
    if (free == Outcome::kMet && !s->finished()) continue;
    co_return FailedPrecondition(
        "another term_run is under way in session '%s', so nothing was typed; "
        "wait for it, or run this elsewhere (session=..., fresh=true)",
        s->name());
  }
  co_return std::shared_ptr<Session>(
      s, [session](Session* taken) { taken->ReleaseRunSlot(); });
}

// The state of a shell at its prompt. Error: there is none in time.
Task<absl::StatusOr<SessionState>> AwaitPrompt(Session* session, Time deadline,
                                               Cancellation* cancellation) {
  Loop* loop = session->loop();
  std::optional<SessionState> state;
  Duration patience =
      session->has_been_ready() ? kPromptPatience : kStartPatience;
  Outcome outcome = co_await session->WaitFor(
      [session, loop, &state] {
        state = session->FreshState();
        bool ready = state && state->activity == Activity::kPrompt;
        return Verdict(ready || session->finished(),
                       loop->Now() + Prober::kAgain);
      },
      std::min(loop->Now() + patience, deadline), cancellation);
  if (outcome != Outcome::kMet || session->finished()) {
    co_return NoPrompt(*session);
  }
  co_return *state;
}

}  // namespace

// It is not the end, but nothing more will come until somebody answers.
bool IsAsking(const Session& session, const SessionState& state, Time since,
              Time* again) {
  if (state.activity == Activity::kSecret) return true;
  if (state.activity != Activity::kInput) return false;
  // What cannot be looked into may be at work far away.
  if (state.evidence == Evidence::kGuess &&
      !LooksLikeQuestion(session.TextBeforeCursor())) {
    return false;
  }
  const ProbeAnswer* answer = session.last_probe();
  bool reads = answer != nullptr && answer->waiting == Waiting::kRead;
  Time due = std::max(session.last_output(), since) +
             (reads ? kReadQuiet : kPollQuiet);
  if (session.loop()->Now() >= due) return true;
  *again = std::min(*again, due);
  return false;
}

Task<absl::StatusOr<ShellRun>> ShellRun::Start(SessionRef session,
                                               ShellCommand command,
                                               std::string directory,
                                               Time deadline,
                                               Cancellation* cancellation) {
  Session* s = session.get();
  auto slot = co_await AwaitSlot(session, deadline, cancellation);
  if (!slot.ok()) co_return slot.status();
  auto state = co_await AwaitPrompt(s, deadline, cancellation);
  if (!state.ok()) co_return state.status();
  bool integrated = state->evidence == Evidence::kShell;
  const Shell& shell = ShellOrSh(state->program);
  if (absl::Status ok = Check(command, shell); !ok.ok()) co_return ok;
  ShellRun run(session, integrated ? Way::kIntegrated : Way::kTyped);
  run.slot_ = *std::move(slot);
  auto cleared = co_await ClearPrompt(s, *state, deadline, cancellation);
  if (!cleared.ok()) co_return cleared.status();
  run.cleared_ = *std::move(cleared);
  Step paste;
  paste.kind = Step::Kind::kPaste;
  paste.text = WithSurroundings(command);
  if (integrated) {
    auto form = TypedForm(*s, paste.text, shell, directory);
    if (!form.ok()) co_return form.status();
    paste.text = *std::move(form);
  } else {
    run.run_ = RandomRun();
    s->ExpectRun(run.run_);
    paste.text = MarkedLine(paste.text, shell.status, run.run_);
  }
  run.blocks_before_ = s->commands().started();
  run.baseline_ = MarkNow(s->terminal());
  std::vector<Step> steps(1, std::move(paste));
  Typed typed =
      co_await TypeSteps(session, std::move(steps), true, cancellation);
  if (!typed.stopped.empty()) {
    bool nothing = typed.done == 0 && typed.partly == 0;
    co_return FailedPrecondition("term_run: the command was not typed%s: %s",
                                 nothing ? "" : " whole", typed.stopped);
  }
  run.typed_at_ = s->loop()->Now();
  run.prompts_before_ = s->commands().prompts();
  co_return run;
}

// The first of its kind: the shell may run others after it (traps, hooks).
const CommandBlock* ShellRun::block() const {
  const CommandLog& commands = session_->commands();
  for (int64_t n = blocks_before_ + 1; n <= commands.started(); ++n) {
    const CommandBlock* block = commands.Find(n);
    if (block != nullptr && block->trusted && block->run == run_) return block;
  }
  return nullptr;
}

bool ShellRun::Ended() const {
  const CommandBlock* own = block();
  return own != nullptr && own->finished;
}

// A prompt of the session's own shell without the mark of an end: the shell in
// which the line was typed has been left, or there was nothing to run (a
// comment). Some shells draw their prompt once more when Enter comes.
bool ShellRun::HasNewPrompt() const {
  return session_->commands().prompts() > prompts_before_ &&
         (way_ == Way::kTyped || block() == nullptr) &&
         session_->loop()->Now() >= typed_at_ + kRedraw;
}

std::optional<Reason> ShellRun::Look(Time* again) {
  if (session_->finished()) return Reason{"exited", ""};
  ShellPhase phase = session_->commands().phase();
  auto state = session_->FreshState();
  *again = session_->loop()->Now() + Prober::kAgain;
  if (!state) return std::nullopt;
  const CommandBlock* own = block();
  // A shell in which it has begun can be left; then its mark never comes.
  bool settled = session_->loop()->Now() >=
                 typed_at_ + (own != nullptr ? kReadQuiet : kPromptAfterEnd);
  if (state->activity == Activity::kPrompt) {
    // Without a mark: it has left the shell, replaced it, or started another.
    bool stands_there = own == nullptr && way_ == Way::kIntegrated &&
                        (HasNewPrompt() || settled) &&
                        !TextAtPrompt(*session_).empty();
    // fish keeps it in its editor.
    if (stands_there) return Reason{"input", kUnfinished};
    if (Ended() || HasNewPrompt() || settled) return Reason{"prompt", ""};
    return std::nullopt;
  }
  // A prompt that cannot be recognised is not waited for.
  if (Ended() && own->ended &&
      session_->loop()->Now() >= *own->ended + kPromptAfterEnd) {
    return Reason{"prompt", ""};
  }
  if (phase == ShellPhase::kContinuation && own == nullptr) {
    return Reason{"input", kUnfinished};
  }
  if (!IsAsking(*session_, *state, typed_at_, again)) return std::nullopt;
  return Reason{ActivityName(state->activity), ""};
}

}  // namespace glasstty

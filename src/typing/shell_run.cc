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
#include "typing/turn.h"
#include "wire/session_files.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The command before may be ending just now; a shell that starts reads its
// files first.
constexpr Duration kPromptPatience = milliseconds(300);
constexpr Duration kFirstPromptPatience = seconds(10);
// The shell prints its prompt after the mark of the end.
constexpr Duration kPromptAfterEnd = milliseconds(500);
// A program that reads the terminal for so long, and prints nothing, asks for
// something. One that only polls may be at work besides.
constexpr Duration kReadQuiet = milliseconds(150);
constexpr Duration kPollQuiet = milliseconds(1000);

// Between Enter and the mark of the command's beginning.
constexpr Duration kRedraw = milliseconds(50);

// fish says what is wrong with it above.
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

// Why no command can be typed now, in words.
absl::Status NoPrompt(const session::Session& session) {
  if (session.finished()) {
    return FailedPrecondition(
        "session '%s' has exited: no command can be run in it; term_open "
        "starts a new one",
        session.name());
  }
  if (session.away_since()) {
    return FailedPrecondition(
        "session '%s': there is no connection to %s now: nothing was typed, "
        "and its programs keep running there (term_list tells more)",
        session.name(), session.origin().place);
  }
  session::SessionState state = session.LastState();
  return FailedPrecondition(
      "session '%s' is not at a shell's prompt but %s%s%s: nothing was typed. "
      "Answer it with term_send, wait with term_wait {\"until\": {\"state\": "
      "\"prompt\"}}, or run the command elsewhere (session=..., fresh=true)",
      session.name(), session::StateText(state),
      state.program.empty() ? "" : " in ", state.program);
}

ShellPlace PlaceOf(session::Session* owner, const session::SessionState& state,
                   std::string path) {
  const session::Session& session = *owner;
  bool is_far = state.evidence == session::Evidence::kGuess;
  // The name is that of the near end; most shells are bash, or give less to
  // look out for.
  const Shell& shell = ShellOrSh(is_far ? "bash" : state.program);
  return {&shell, session.terminal().modes().bracketed_paste, is_far,
          [owner](const auto& name, const auto& content) {
            return owner->PutFile(name, content);
          },
          std::move(path)};
}

// Where the present prompt begins, as far as that is known.
record::LinePlace PromptBegin(const session::Session& session,
                              bool integrated) {
  const record::CommandLog& commands = session.commands();
  int64_t line = session.terminal().cursor_line();
  // A job in the background may have printed behind it.
  bool is_there = integrated && commands.prompt_end().line == line;
  return is_there ? commands.prompt_begin() : record::LinePlace{line, 0};
}

// The session's slot, given back with the last copy. Error: not free in time.
Task<absl::StatusOr<std::shared_ptr<session::Session>>> AwaitSlot(
    session::SessionRef session, Time deadline, Cancellation* cancellation) {
  session::Session* s = session.get();
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
  co_return std::shared_ptr<session::Session>(
      s, [session](session::Session* taken) { taken->ReleaseRunSlot(); });
}

// The state of a shell at its prompt. Error: there is none in time.
Task<absl::StatusOr<session::SessionState>> AwaitPrompt(
    session::Session* session, Time deadline, Cancellation* cancellation) {
  Loop* loop = session->loop();
  std::optional<session::SessionState> state;
  Duration patience =
      session->has_been_ready() ? kPromptPatience : kFirstPromptPatience;
  auto interest = session->Keep(session::Interest::kState);
  Outcome outcome = co_await session->WaitFor(
      [session, loop, &state] {
        state = session->settled_state();
        bool ready = state && state->activity == session::Activity::kPrompt;
        return Verdict(ready || session->finished(),
                       loop->Now() + session::Prober::kAgain);
      },
      std::min(loop->Now() + patience, deadline), cancellation);
  if (outcome != Outcome::kMet || session->finished()) {
    co_return NoPrompt(*session);
  }
  co_return *state;
}

}  // namespace

// It is not the end, but nothing more will come until somebody answers.
bool IsAsking(const session::Session& session,
              const session::SessionState& state, Time since, Time* again) {
  if (state.activity == session::Activity::kSecret) return true;
  if (state.activity != session::Activity::kInput) return false;
  // What cannot be looked into may be at work far away.
  if (state.evidence == session::Evidence::kGuess &&
      !session::LooksLikeQuestion(session.TextBeforeCursor())) {
    return false;
  }
  const wire::ProbeAnswer* answer = session.last_probe();
  bool reads = answer != nullptr && answer->waiting == wire::Waiting::kRead;
  Time due = std::max(session.last_output(), since) +
             (reads ? kReadQuiet : kPollQuiet);
  if (session.loop()->Now() >= due) return true;
  *again = std::min(*again, due);
  return false;
}

Task<absl::StatusOr<ShellRun>> ShellRun::Start(session::SessionRef session,
                                               ShellCommand command,
                                               std::string directory,
                                               Time deadline,
                                               Cancellation* cancellation) {
  session::Session* s = session.get();
  auto slot = co_await AwaitSlot(session, deadline, cancellation);
  if (!slot.ok()) co_return slot.status();
  // After the slot: who runs a command there may have to type its answers.
  auto turn = co_await TakeTurn(session, cancellation);
  if (!turn.ok()) co_return turn.status();
  auto state = co_await AwaitPrompt(s, deadline, cancellation);
  if (!state.ok()) co_return state.status();
  bool integrated = state->evidence == session::Evidence::kShell;
  ShellPlace place = PlaceOf(s, *state, std::move(directory));
  if (absl::Status ok = CheckCommand(command, place); !ok.ok()) co_return ok;
  // What an earlier command has left.
  s->DropFile(wire::kEnvironmentName);
  ShellRun run(session, integrated ? Way::kIntegrated : Way::kTyped);
  run.slot_ = *std::move(slot);
  run.earlier_end_ = PromptBegin(*s, integrated);
  auto cleared = co_await ClearPrompt(s, *state, deadline, cancellation);
  if (!cleared.ok()) co_return cleared.status();
  run.cleared_ = *std::move(cleared);
  // Nothing was typed, so it is output.
  if (!run.cleared_ && integrated && !TextAtPrompt(*s).empty()) {
    run.earlier_end_ = {s->terminal().cursor_line(),
                        s->terminal().cursor_line_bytes()};
  }
  // The prompt may be a new one.
  place.takes_pastes = s->terminal().modes().bracketed_paste;
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
  run.blocks_before_ = s->commands().started();
  run.baseline_ = record::MarkNow(s->terminal());
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
  run.interest_ = s->Keep(session::Interest::kState);
  co_return run;
}

// The first of its kind: the shell may run others after it (traps, hooks).
const record::CommandBlock* ShellRun::block() const {
  const record::CommandLog& commands = session_->commands();
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

// A prompt of the session's own shell without the mark of an end: the shell in
// which the line was typed has been left, or there was nothing to run (a
// comment). Some shells draw their prompt once more when Enter comes.
bool ShellRun::HasNewPrompt() const {
  return session_->commands().prompts() > prompts_before_ &&
         (way_ == Way::kTyped || block() == nullptr) &&
         session_->loop()->Now() >= typed_at_ + kRedraw;
}

std::optional<waits::Reason> ShellRun::Look(Time* again) {
  std::optional<waits::Reason> reason = LookAtState(again);
  // In other states the shell may not have read it yet.
  bool is_over =
      reason && (reason->word == "prompt" || reason->word == "exited");
  if (is_over) session_->DropFile(wire::kEnvironmentName);
  return reason;
}

std::optional<waits::Reason> ShellRun::LookAtState(Time* again) {
  if (session_->finished()) return waits::Reason{"exited", ""};
  record::ShellPhase phase = session_->commands().phase();
  auto state = session_->settled_state();
  *again = session_->loop()->Now() + session::Prober::kAgain;
  if (!state) return std::nullopt;
  const record::CommandBlock* own = block();
  // A shell in which it has begun can be left; then its mark never comes.
  bool settled = session_->loop()->Now() >=
                 typed_at_ + (own != nullptr ? kReadQuiet : kPromptAfterEnd);
  if (state->activity == session::Activity::kPrompt) {
    // Without a mark: it has left the shell, replaced it, or started another.
    bool stands_there = own == nullptr && way_ == Way::kIntegrated &&
                        (HasNewPrompt() || settled) &&
                        !TextAtPrompt(*session_).empty();
    // fish keeps it in its editor.
    if (stands_there) return waits::Reason{"input", kKept};
    if (Ended() || HasNewPrompt() || settled)
      return waits::Reason{"prompt", ""};
    return std::nullopt;
  }
  // A prompt that cannot be recognised is not waited for.
  if (Ended() && own->ended &&
      session_->loop()->Now() >= *own->ended + kPromptAfterEnd) {
    return waits::Reason{"prompt", ""};
  }
  if (phase == record::ShellPhase::kContinuation && own == nullptr) {
    return waits::Reason{"input", kUnfinished};
  }
  if (!IsAsking(*session_, *state, typed_at_, again)) return std::nullopt;
  return waits::Reason{session::ActivityName(state->activity), ""};
}

}  // namespace glasstty::typing

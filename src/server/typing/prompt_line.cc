// Discards the text at a prompt by interrupts.
//
// A line editor may be in the middle of anything: a prefix key, a count, a
// quoted insert, a search, a paste without its end, an operator of vi. No key
// cancels all of these, but interrupts do: bash and zsh then begin a new line
// in a fresh state. They run nothing, and save nothing in the history.
//
// The first interrupt is the key ^C, because a key also restarts output that
// Ctrl-S has stopped. The key may fail; after Ctrl-V, for example, it is text.
// Then the signal is sent a few times, bypassing the terminal, until the shell
// has begun a new line. Several interrupts may be needed: in zsh, one leaves a
// search and the next leaves the line; bash drops a signal while its vi mode
// waits for the rest of an Escape; in fish, an interrupt is a normal key, which
// a pending key may swallow.
//
// fish begins no new line if the old one is already empty, so our integration
// binds a key, in all modes of fish, with which fish reports an empty line
// (shell/integration.fish).
#include "typing/prompt_line.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/visible.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::typing {
namespace {

// The patience for each interrupt. It is long because the hooks that create a
// prompt may run programs such as git.
constexpr Duration kSignalPatience = std::chrono::seconds(2);

std::string TextBetween(const terminal::Terminal& terminal,
                        record::LinePlace begin, record::LinePlace end) {
  std::string text;
  for (const terminal::Line& line :
       record::LinesBetween(terminal, begin, end)) {
    text += (text.empty() ? "" : "\n") + line.text;
  }
  return std::string(TrimTrailingBlanks(text));
}

// Returns true if the text in the cursor's row ends at most two columns before
// the right edge. zsh and fish may draw a second prompt there.
bool ReachesRightEdge(const terminal::Terminal& terminal) {
  terminal::Snapshot screen = terminal.TakeSnapshot();
  auto glyphs = std::ranges::count_if(
      screen.rows[static_cast<size_t>(screen.cursor.row)].text,
      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  return glyphs + 2 >= screen.size.cols;
}

// Cuts the text at its widest gap, if the gap has at least two blanks.
void CutAtGap(std::string* text) {
  size_t cut = text->size(), widest = 1;
  for (size_t at = text->find(' '); at != std::string::npos;
       at = text->find(' ', at)) {
    size_t end = std::min(text->find_first_not_of(' ', at), text->size());
    if (end - at > widest) {
      widest = end - at;
      cut = at;
    }
    at = end;
  }
  text->resize(cut);
}

// Returns the text of the line, for the reply. If the cursor is at the
// beginning of the line, this is the text after the cursor.
std::string ShownAtPrompt(const session::Session& session) {
  std::string text = TextAtPrompt(session);
  if (!text.empty()) return text;
  const terminal::Terminal& terminal = session.output().terminal();
  record::LinePlace begin = session.events().commands().prompt_end();
  text = TextBetween(terminal, begin, {begin.line + 1, 0});
  if (ReachesRightEdge(terminal)) CutAtGap(&text);
  return text;
}

// A shell may fill a new line by itself: zsh with what push-line or `print -z`
// has stored, bash with the next line of its history after Ctrl-O. The cursor
// is then after the text. In contrast, the output of a background job mostly
// ends with a newline.
bool IsPrefilled(const session::Session& session) {
  return !TextAtPrompt(session).empty() &&
         session.output().terminal().TakeSnapshot().cursor.col > 0;
}

// In canonical mode the kernel is the line editor, and the holder reports
// whether the kernel holds an unfinished line.
bool IsCanonical(const session::Session& session) {
  const wire::ProbeAnswer* answer = session.questions().prober().last();
  return answer != nullptr && answer->canonical;
}

bool IsEmpty(const session::Session& session, bool has_marks) {
  if (!has_marks) {
    return IsCanonical(session) ? !session.input().prompt().is_unfinished()
                                : !session.input().prompt().is_open();
  }
  switch (session.input().prompt().line()) {
    case session::PromptLine::kEmpty:
      return !IsPrefilled(session);
    case session::PromptLine::kShown:
      return TextAtPrompt(session).empty();
    case session::PromptLine::kUnknown:
      return false;
  }
  return false;
}

bool HasReceipts(const session::Session& session) {
  return session.input().consumed(session.input().last_write());
}

// Returns true if a shell seems to wait at a line that holds nothing but
// answers of the terminal. A shell without marks may have received the answers
// so late that the holder has not yet reported whether the kernel still holds
// them.
bool MayHoldAnswers(const session::Session& session) {
  const session::PromptWatch& prompt = session.input().prompt();
  session::SessionState state = session.verdict().LastState();
  if (session.events().commands().phase() == record::ShellPhase::kReady)
    return prompt.holds_answers();
  return state.activity == session::Activity::kPrompt && IsCanonical(session) &&
         prompt.was_answered() &&
         (prompt.is_unfinished() || !HasReceipts(session));
}

// Waits until the last write was read, but only in canonical mode, in which the
// holder reports this at once.
Task<Outcome> AwaitReceipts(session::Session* session,
                            Cancellation* cancellation) {
  constexpr Duration kPatience = std::chrono::milliseconds(500);
  if (!IsCanonical(*session)) co_return Outcome::kMet;
  co_return co_await session->WaitFor(
      [session] { return HasReceipts(*session) || session->finished(); },
      session->loop()->Now() + kPatience, cancellation);
}

// Waits until the shell has dealt with what it was sent.
Task<Outcome> Settle(session::Session* session, Time deadline,
                     Cancellation* cancellation) {
  Loop* loop = session->loop();
  Time limit = std::min(loop->Now() + kSignalPatience, deadline);
  auto interest = session->questions().Keep(session::Interest::kState);
  co_return co_await session->WaitFor(
      [session] {
        auto state = session->verdict().settled_state();
        bool settled = state && state->activity == session::Activity::kPrompt &&
                       HasReceipts(*session);
        return Look(settled || session->finished(),
                    session->questions().NextAnswer());
      },
      limit, cancellation);
}

// Waits until the line is drawn, because it looks empty before that. Waits only
// briefly, because a shell may have lost the hook that reports this.
Task<Outcome> AwaitDrawn(session::Session* session,
                         Cancellation* cancellation) {
  constexpr Duration kPatience = std::chrono::milliseconds(500);
  co_return co_await session->WaitFor(
      [session] {
        return Look(session->events().commands().is_drawn() ||
                    session->finished());
      },
      session->loop()->Now() + kPatience, cancellation);
}

// These are tried one after the other until the line is empty.
void TypeInterrupt(session::Session* session) { session->Write("\x03"); }
void SendInterrupt(session::Session* session) {
  session->Signal(SIGINT, wire::SignalTarget::kForeground);
}
// F20, as xterm sends it.
void AskFish(session::Session* session) { session->Write("\033[34~"); }

using Attempt = void (*)(session::Session* session);
constexpr Attempt kAttempts[] = {TypeInterrupt, SendInterrupt, SendInterrupt,
                                 SendInterrupt, SendInterrupt};
// A shell without marks may be on another machine, and a signal would end ssh.
// There are two attempts, because an editor may be in the middle of something
// without reporting this.
constexpr Attempt kAttemptsUnmarked[] = {TypeInterrupt, TypeInterrupt};
constexpr Attempt kAttemptsInFish[] = {
    TypeInterrupt, AskFish, SendInterrupt, AskFish, SendInterrupt, AskFish};

absl::Span<const Attempt> AttemptsFor(const session::SessionState& state) {
  if (state.evidence != session::Evidence::kShell) return kAttemptsUnmarked;
  if (state.program == "fish") return kAttemptsInFish;
  return kAttempts;
}

}  // namespace

std::string TextAtPrompt(const session::Session& session) {
  const terminal::Terminal& terminal = session.output().terminal();
  record::LinePlace prompt = session.events().commands().prompt_end();
  record::LinePlace cursor{terminal.cursor_line(),
                           terminal.cursor_line_bytes()};
  if (cursor == prompt) return "";
  return TextBetween(terminal, prompt, cursor);
}

Task<absl::StatusOr<std::optional<std::string>>> ClearPrompt(
    session::Session* session, session::SessionState state, Time deadline,
    Cancellation* cancellation) {
  bool has_marks = state.evidence == session::Evidence::kShell;
  if (has_marks) {
    co_await AwaitDrawn(session, cancellation);
  } else {
    co_await AwaitReceipts(session, cancellation);
  }
  if (IsEmpty(*session, has_marks)) co_return std::nullopt;
  std::string text = has_marks ? ShownAtPrompt(*session) : "";
  for (Attempt attempt : AttemptsFor(state)) {
    attempt(session);
    Outcome outcome = co_await Settle(session, deadline, cancellation);
    if (has_marks) co_await AwaitDrawn(session, cancellation);
    if (has_marks && IsEmpty(*session, has_marks)) co_return text;
    if (outcome != Outcome::kMet && (!has_marks || session->finished())) break;
    if (outcome == Outcome::kCancelled) break;
  }
  if (IsEmpty(*session, has_marks)) co_return text;
  std::string shown = text.empty() ? "" : ": " + Quoted(text);
  co_return FailedPrecondition(
      "session '%s': something was typed at its prompt but not entered, and "
      "the shell does not discard it when interrupted, so no command was "
      "typed; finish the line with term_send, or run the command elsewhere "
      "(session=..., fresh=true)%s",
      session->name(), shown);
}

Task<std::optional<std::string>> DiscardAnswers(session::Session* session,
                                                Cancellation* cancellation) {
  if (!MayHoldAnswers(*session)) co_return std::nullopt;
  Time deadline = session->loop()->Now() + kSignalPatience;
  co_await Settle(session, deadline, cancellation);
  if (IsCancelled(cancellation)) co_return std::nullopt;
  session::SessionState state = session->verdict().LastState();
  bool is_sure = state.activity == session::Activity::kPrompt &&
                 state.evidence != session::Evidence::kGuess;
  // A person may have taken the keyboard meanwhile.
  if (!is_sure || !MayHoldAnswers(*session)) co_return std::nullopt;
  auto cleared = co_await ClearPrompt(session, state, deadline, cancellation);
  co_return cleared.ok() ? *std::move(cleared) : std::nullopt;
}

}  // namespace glasstty::typing

#include "typing/turn.h"

#include <algorithm>
#include <chrono>

#include "support/status.h"

namespace glasstty::typing {
namespace {

// Most calls type their steps in milliseconds. The limit is below the minute
// after which clients give up, because the call itself needs a part of it.
constexpr Duration kPatience = std::chrono::seconds(20);
constexpr Duration kLeastPatience = std::chrono::seconds(1);

absl::Status StillTyping(const session::Session& session, Duration since) {
  return FailedPrecondition(
      "another call has been typing into session '%s' for %.0f s, so nothing "
      "was typed; term_list shows whose it is: wait, or use a session of your "
      "own",
      session.name(), std::chrono::duration<double>(since).count());
}

absl::Status CancelledInTurn() {
  return FailedPrecondition("the call was cancelled: nothing was typed");
}

// The caller must keep the session alive.
Task<absl::Status> TakeKeyboard(session::Session* s, Cancellation* cancellation,
                                Time deadline) {
  Time began = s->loop()->Now();
  if (!s->AskForKeyboard()) {
    co_return FailedPrecondition(
        "nothing was typed: session '%s' is open in another server, and as "
        "many programs as may observe it do so already; it can be read, and "
        "term_open opens a session of your own, also with this name",
        s->name());
  }
  co_await s->WaitFor(
      [s] {
        return s->person().is_own_call() || s->person().here() || s->finished();
      },
      deadline, cancellation);
  if (s->person().is_own_call()) co_return absl::OkStatus();
  if (s->person().here()) {
    co_return FailedPrecondition(
        "nothing was typed: a person has the keyboard of session '%s' (%s); "
        "term_wait {\"until\": {\"person\": \"gone\"}} waits until it is free",
        s->name(), s->person().via());
  }
  if (s->finished()) {
    co_return FailedPrecondition("nothing was typed: session '%s' has ended",
                                 s->name());
  }
  co_return StillTyping(*s, deadline - began);
}

}  // namespace

Task<absl::StatusOr<Turn>> TakeTurn(session::SessionRef session,
                                    Cancellation* cancellation, Time deadline) {
  session::Session* s = session.get();
  session::TypingTurn::Caller caller = cancellation;
  Time began = s->loop()->Now();
  deadline = std::clamp(deadline, began + kLeastPatience, began + kPatience);
  if (!s->mutable_input()->turn()->Take(caller)) {
    s->mutable_input()->turn()->Wait(caller);
    co_await s->WaitFor(
        [s, caller] { return s->mutable_input()->turn()->IsFreeFor(caller); },
        deadline, cancellation);
    if (!s->mutable_input()->turn()->Take(caller)) {
      s->mutable_input()->turn()->GiveUp(caller);
      co_return StillTyping(*s, deadline - began);
    }
  }
  Turn turn(s, [session](session::Session* taken) {
    bool is_free = taken->mutable_input()->turn()->Release();
    if (is_free && taken->is_guest()) taken->GiveKeyboardBack();
  });
  // A call that was cancelled when its turn came gives it to the next one.
  if (IsCancelled(cancellation)) co_return CancelledInTurn();
  if (!s->is_guest() || s->person().is_own_call()) co_return turn;
  absl::Status taken = co_await TakeKeyboard(s, cancellation, deadline);
  if (!taken.ok()) co_return taken;
  if (IsCancelled(cancellation)) co_return CancelledInTurn();
  co_return turn;
}

}  // namespace glasstty::typing

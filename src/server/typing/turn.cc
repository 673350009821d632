#include "typing/turn.h"

#include <algorithm>
#include <chrono>

#include "support/status.h"

namespace glasstty::typing {
namespace {

// Most calls type their steps in milliseconds. Clients give up on a call after
// a minute, of which the call itself needs some.
constexpr Duration kPatience = std::chrono::seconds(20);
constexpr Duration kLeastPatience = std::chrono::seconds(1);

}  // namespace

Task<absl::StatusOr<Turn>> TakeTurn(session::SessionRef session,
                                    Cancellation* cancellation, Time deadline) {
  session::Session* s = session.get();
  session::TypingTurn::Caller caller = cancellation;
  if (s->is_guest()) {
    co_return FailedPrecondition(
        "nothing was typed: session '%s' is open in another server, whose "
        "agent types into it, as a person does with `glasstty attach`; from "
        "here it can be read, waited for and closed, and term_open opens a "
        "session of your own, also with this name",
        s->name());
  }
  if (!s->mutable_input()->turn()->Take(caller)) {
    s->mutable_input()->turn()->Wait(caller);
    Time began = s->loop()->Now();
    deadline = std::clamp(deadline, began + kLeastPatience, began + kPatience);
    co_await s->WaitFor(
        [s, caller] { return s->mutable_input()->turn()->IsFreeFor(caller); },
        deadline, cancellation);
    if (!s->mutable_input()->turn()->Take(caller)) {
      s->mutable_input()->turn()->GiveUp(caller);
      co_return FailedPrecondition(
          "another call has been typing into session '%s' for %.0f s, so "
          "nothing was typed; term_list shows whose it is: wait, or use a "
          "session of your own",
          s->name(), std::chrono::duration<double>(deadline - began).count());
    }
  }
  co_return Turn(s, [session](session::Session* taken) {
    taken->mutable_input()->ReleaseTurn();
  });
}

}  // namespace glasstty::typing

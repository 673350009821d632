#include "typing/turn.h"

#include <chrono>

#include "support/status.h"

namespace glasstty::typing {
namespace {

// The steps of most calls are typed in milliseconds. Clients give up on a call
// after a minute, of which the call itself needs some.
constexpr Duration kPatience = std::chrono::seconds(20);

}  // namespace

Task<absl::StatusOr<Turn>> TakeTurn(session::SessionRef session,
                                    Cancellation* cancellation) {
  session::Session* s = session.get();
  session::TypingTurn::Caller caller = cancellation;
  if (!s->turn()->Take(caller)) {
    s->turn()->Wait(caller);
    co_await s->WaitFor([s, caller] { return s->turn()->IsFreeFor(caller); },
                        s->loop()->Now() + kPatience, cancellation);
    if (!s->turn()->Take(caller)) {
      s->turn()->GiveUp(caller);
      co_return FailedPrecondition(
          "another call has been typing into session '%s' for %d s, so nothing "
          "was typed; term_list shows whose it is: wait, or use a session of "
          "your own",
          s->name(),
          std::chrono::duration_cast<std::chrono::seconds>(kPatience).count());
    }
  }
  co_return Turn(s,
                 [session](session::Session* taken) { taken->ReleaseTurn(); });
}

}  // namespace glasstty::typing

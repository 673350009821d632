#include "waits/settling.h"

#include <algorithm>

namespace glasstty {

void Settling::Begin(Session* session) {
  session_ = session;
  began_ = session->loop()->Now();
}

bool Settling::IsOver(Time* again) {
  Time now = session_->loop()->Now();
  if (session_->finished() || now >= began_ + kLongest) return true;
  // Asked at each look, so that an answer is there when the screen rests.
  auto state = session_->FreshState();
  bool waits = state && state->evidence != Evidence::kGuess &&
               state->activity != Activity::kBusy;
  Time due = session_->last_output() + (waits ? kRest : kQuiet);
  if (!session_->HasUnfed() && now >= due) return true;
  Time next = now < due ? due : now + Prober::kAgain;
  *again = std::min({*again, next, began_ + kLongest});
  return false;
}

bool DrawsScreens(const Session& session) {
  return session.terminal().modes().alternate_screen || session.AddressesRows();
}

}  // namespace glasstty

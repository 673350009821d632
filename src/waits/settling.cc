#include "waits/settling.h"

#include <algorithm>

namespace glasstty::waits {

void Settling::Begin(const session::SessionView* session) {
  session_ = session;
  began_ = session->loop()->Now();
}

bool Settling::IsOver(Time* again) const {
  Time now = session_->loop()->Now();
  if (session_->finished() || now >= began_ + kLongest) return true;
  auto state = session_->settled_state();
  bool waits = state && state->evidence != session::Evidence::kGuess &&
               state->activity != session::Activity::kBusy;
  Time due = session_->last_output() + (waits ? kRest : kQuiet);
  if (!session_->HasUnfed() && now >= due) return true;
  Time next = now < due ? due : now + session::Prober::kAgain;
  *again = std::min({*again, next, began_ + kLongest});
  return false;
}

}  // namespace glasstty::waits

#include "waits/settling.h"

#include <algorithm>

namespace glasstty::waits {

void Settling::Begin(const session::Session* session) {
  session_ = session;
  began_ = session->loop()->Now();
}

Look Settling::IsOver(Answering* answering) const {
  Time now = session_->loop()->Now();
  Time latest = began_ + kLongest;
  if (session_->finished() || now >= latest) return true;
  auto state = session_->verdict().settled_state();
  bool waits = state && state->evidence != session::Evidence::kGuess &&
               state->activity != session::Activity::kBusy;
  Time due = session_->output().last_output() + (waits ? kRest : kQuiet);
  if (!session_->output().HasUnfed() && now >= due) {
    if (!waits || answering == nullptr) return true;
    Look answered = answering->IsOver();
    return Look(answered.met(), std::min(answered.again, latest));
  }
  Time next = now < due ? due : session_->questions().NextAnswer();
  return Look(false, std::min(next, latest));
}

}  // namespace glasstty::waits

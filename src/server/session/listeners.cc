#include "session/listeners.h"

#include <algorithm>
#include <utility>

namespace glasstty::session {

// Asks one question at a time, so that a busy holder is not swamped.
void Listeners::Want() {
  Time now = loop_->Now();
  if (is_asking_ || now < due_) return;
  // Nobody has called this for a while, so a new wait has begun.
  if (now - due_ > 2 * kLastPause) pause_ = kFirstPause;
  due_ = now + pause_;
  pause_ = std::min(pause_ * 3 / 2, kLastPause);
  is_asking_ = true;
  ask_(++asked_);
}

void Listeners::OnReport(uint64_t serial, std::vector<ProcessInfo> processes) {
  if (serial == asked_) is_asking_ = false;
  answered_ = serial;
  processes_ = std::move(processes);
}

const std::vector<ProcessInfo>* Listeners::After(uint64_t serial) const {
  return answered_ > serial ? &processes_ : nullptr;
}

}  // namespace glasstty::session

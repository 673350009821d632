#include "session/prober.h"

#include <algorithm>
#include <utility>

namespace glasstty {
namespace {

// Doubled from the first to the last until an answer is settled, so a prompt
// is noticed soon after a short command and a flood costs 40 probes a second.
// One probe costs 15 to 70 us.
constexpr Duration kFirstPause = std::chrono::microseconds(500);
constexpr Duration kLastPause = std::chrono::milliseconds(25);

}  // namespace

Prober::Prober(Loop* loop, std::function<void(uint64_t)> send)
    : send_(std::move(send)), timer_(loop, [this] { Send(); }) {}

const ProbeAnswer* Prober::current() const {
  return last_ && answered_ > disturbed_ ? &*last_ : nullptr;
}

void Prober::Want() {
  if (stopped_ || timer_.armed() || sent_ > answered_) return;
  const ProbeAnswer* known = current();
  if (known != nullptr && known->settled) {
    timer_.SetAfter(kAgain);
  } else if (pause_ == Duration::zero()) {
    pause_ = kFirstPause;
    Send();
  } else {
    timer_.SetAfter(pause_);
    pause_ = std::min(pause_ * 2, kLastPause);
  }
}

void Prober::OutputArrived() { disturbed_ = sent_; }

void Prober::InputSent() {
  disturbed_ = sent_;
  pause_ = Duration::zero();
  timer_.Clear();
}

void Prober::OnAnswer(uint64_t serial, const ProbeAnswer& answer) {
  last_ = answer;
  answered_ = serial;
  if (current() != nullptr && answer.settled) pause_ = Duration::zero();
}

void Prober::Stop() {
  stopped_ = true;
  timer_.Clear();
}

void Prober::Send() {
  if (!stopped_) send_(++sent_);
}

}  // namespace glasstty

// When to ask, and which answers to believe.
//
// A probe walks /proc in the holder, so it is sent only while somebody wants to
// know, one at a time. Probes are numbered. Output and input *disturb*: they
// move the mark disturbed_ up to the last serial sent, and an answer is
// believed only if its probe went out after that. Packets keep their order on
// the socket, so the comparison of two numbers replaces any comparison of
// clocks.
#include "session/prober.h"

#include <algorithm>
#include <utility>

namespace glasstty::session {
namespace {

// Doubled from the first to the last until an answer is settled, so a prompt
// is noticed soon after a short command and a flood costs 40 probes a second.
// One probe costs 15 to 70 us.
constexpr Duration kFirstPause = std::chrono::microseconds(500);
constexpr Duration kLastPause = std::chrono::milliseconds(25);

// A program that has printed its prompt reads a moment later: without output
// for so long, it is worth a look whatever the pause. A flood postpones this
// for ever.
constexpr Duration kQuietEdge = std::chrono::microseconds(1500);

}  // namespace

Prober::Prober(Loop* loop, std::function<void(uint64_t)> send)
    : loop_(loop), send_(std::move(send)), timer_(loop, [this] { Send(); }) {}

const wire::ProbeAnswer* Prober::current() const {
  return last_ && answered_ > disturbed_ ? &*last_ : nullptr;
}

const wire::ProbeAnswer* Prober::fresh() const {
  return loop_->Now() - answered_at_ <= kAgain ? current() : nullptr;
}

void Prober::Want() {
  if (stopped_ || sent_ > answered_) return;
  // A settled answer still gets old: a program may begin to wait, or start
  // working, without a byte of output.
  const wire::ProbeAnswer* known = fresh();
  const bool got_old =
      known == nullptr && current() != nullptr && pause_ == Duration::zero();
  if (timer_.armed() && !got_old) return;
  timer_.Clear();
  if (known != nullptr && known->settled) {
    SetTimer(kAgain);
  } else if (pause_ == Duration::zero()) {
    pause_ = kFirstPause;
    Send();
  } else {
    SetTimer(pause_);
    pause_ = std::min(pause_ * 2, kLastPause);
  }
}

void Prober::SetTimer(Duration pause) {
  due_ = loop_->Now() + pause;
  timer_.Set(due_);
}

void Prober::OutputArrived() {
  disturbed_ = sent_;
  if (timer_.armed()) timer_.Set(std::min(due_, loop_->Now() + kQuietEdge));
}

// Input ends the pause too, because what was typed is usually answered at once.
void Prober::InputSent() {
  disturbed_ = sent_;
  pause_ = Duration::zero();
  timer_.Clear();
}

void Prober::OnAnswer(uint64_t serial, const wire::ProbeAnswer& answer) {
  last_ = answer;
  answered_ = serial;
  answered_at_ = loop_->Now();
  // A stale or unsettled answer keeps the growing pause, so a flood is asked
  // rarely.
  if (current() != nullptr && answer.settled) pause_ = Duration::zero();
}

void Prober::Stop() {
  stopped_ = true;
  timer_.Clear();
}

void Prober::Send() {
  if (!stopped_) send_(++sent_);
}

}  // namespace glasstty::session

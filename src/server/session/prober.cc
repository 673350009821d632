// Decides when to ask, and which answers are valid.
//
// A probe makes the holder walk /proc, so probes are sent one at a time, and
// only while somebody needs the answer. Probes are numbered. Output and input
// *disturb*: they set disturbed_ to the last serial sent, and an answer is
// valid only if its probe was sent after that. Packets keep their order on the
// socket, so the comparison of two numbers replaces any comparison of clocks.
#include "session/prober.h"

#include <algorithm>
#include <utility>

namespace glasstty::session {
namespace {

// Until an answer is settled, the pause doubles from the first value to the
// last. So a prompt is noticed soon after a short command, and a flood costs 40
// probes a second. A probe costs 15 to 70 us.
constexpr Duration kFirstPause = std::chrono::microseconds(500);
constexpr Duration kLastPause = std::chrono::milliseconds(25);

// The pace is the time since the last output or input, divided by this.
constexpr int kPacePart = 80;

// A program that has printed its prompt reads a moment later. So a program is
// probed after this much time without output, even during a longer pause.
// During a flood, no such moment comes.
constexpr Duration kQuietEdge = std::chrono::microseconds(1500);

// A program that waits for input also wakes up without input, for 1 to 5 ms:
// Emacs collects garbage, and nvim has timers. It counts as busy only if it
// runs for longer than this.
constexpr Duration kLongestWake = std::chrono::milliseconds(10);

}  // namespace

Prober::Prober(Loop* loop, std::function<void(uint64_t)> send)
    : loop_(loop),
      send_(std::move(send)),
      disturbed_at_(loop->Now()),
      timer_(loop, [this] { Send(); }) {}

const wire::ProbeAnswer* Prober::current() const {
  return last_ && answered_ > disturbed_ ? &*last_ : nullptr;
}

Duration Prober::pace() const {
  return std::clamp((loop_->Now() - disturbed_at_) / kPacePart, kQuickestPace,
                    kSlowestPace);
}

const wire::ProbeAnswer* Prober::fresh() const {
  return loop_->Now() - answered_at_ <= pace() ? current() : nullptr;
}

void Prober::Want(Duration again) {
  if (stopped_ || IsAsking()) return;
  // A settled answer still gets old, because a program may begin to wait, or
  // start working, without a byte of output.
  const wire::ProbeAnswer* known = fresh();
  const bool got_old =
      known == nullptr && current() != nullptr && pause_ == Duration::zero();
  const bool is_settled = known != nullptr && known->settled;
  const bool is_urgent = is_settled && due_ > loop_->Now() + again;
  if (timer_.armed() && !got_old && !is_urgent) return;
  timer_.Clear();
  if (is_settled) {
    SetTimer(again);
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
  disturbed_at_ = loop_->Now();
  if (timer_.armed()) timer_.Set(std::min(due_, loop_->Now() + kQuietEdge));
}

// Input also ends the pause, because programs usually answer input at once.
void Prober::InputSent() {
  disturbed_ = sent_;
  disturbed_at_ = loop_->Now();
  waiting_group_ = 0;
  pause_ = Duration::zero();
  timer_.Clear();
}

void Prober::ConnectedAgain() {
  lost_ = sent_;
  InputSent();
}

void Prober::OnAnswer(uint64_t serial, const wire::ProbeAnswer& answer) {
  last_ = answer;
  if (serial > disturbed_ && OnlyWoke(answer)) last_->settled = 0;
  if (answer.work.known) last_work_ = answer.work;
  answered_ = serial;
  answered_at_ = loop_->Now();
  // After other answers, the pause keeps growing, so a flood is probed rarely.
  if (current() != nullptr && last_->settled) pause_ = Duration::zero();
}

bool Prober::OnlyWoke(const wire::ProbeAnswer& answer) {
  bool runs = answer.waiting == wire::Waiting::kRunning;
  if (!runs || answer.foreground_pgrp != waiting_group_) {
    bool waits = answer.waiting >= wire::Waiting::kPollTimeout;
    waiting_group_ = waits && answer.settled ? answer.foreground_pgrp : 0;
    woke_at_ = Time::max();
    return false;
  }
  woke_at_ = std::min(woke_at_, loop_->Now());
  return loop_->Now() - woke_at_ < kLongestWake;
}

void Prober::Stop() {
  stopped_ = true;
  timer_.Clear();
}

void Prober::Send() {
  if (!stopped_) send_(++sent_);
}

}  // namespace glasstty::session

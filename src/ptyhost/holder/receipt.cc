#include "holder/receipt.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace glasstty::holder {
namespace {

using std::chrono::microseconds;

// The intervals between checks. Most programs read within microseconds; checks
// for other programs become rare.
constexpr microseconds kSteps[] = {
    microseconds(200),     microseconds(500),    microseconds(1'000),
    microseconds(2'000),   microseconds(5'000),  microseconds(10'000),
    microseconds(20'000),  microseconds(50'000), microseconds(100'000),
    microseconds(250'000),
};

// The kernel itself flushes the input when it turns a character into a signal.
// Such a flush must not be reported as one by the program (tcflush(3)).
bool HoldsSignalCharacter(const termios& attributes, std::string_view text) {
  if (!(attributes.c_lflag & ISIG) || (attributes.c_lflag & NOFLSH)) {
    return false;
  }
  for (int index : {VINTR, VQUIT, VSUSP}) {
    cc_t wanted = attributes.c_cc[index];
    if (wanted != _POSIX_VDISABLE &&
        text.find(static_cast<char>(wanted)) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

// Discards the report of a flush before this write.
void Receipt::Expect() {
  if (!outstanding_) device_->TakeFlush();
  outstanding_ = true;
  step_ = 0;
  next_check_ = Time::max();
}

void Receipt::Typing(const termios& attributes, std::string_view text) {
  own_flush_ = own_flush_ || HoldsSignalCharacter(attributes, text);
}

void Receipt::Typed(Time now) {
  if (outstanding_ && next_check_ == Time::max()) Schedule(now);
}

void Receipt::ProgramPrinted(Time now) {
  if (outstanding_) next_check_ = std::min(next_check_, now + kSteps[0]);
}

void Receipt::Schedule(Time now) {
  next_check_ = now + kSteps[step_];
  if (step_ + 1 < std::size(kSteps)) ++step_;
}

std::optional<wire::ConsumedHow> Receipt::Check(Time now) {
  if (!outstanding_) return std::nullopt;
  if (device_->UnreadInput() != 0) {
    Schedule(now);
    return std::nullopt;
  }
  // Check for a flush only now: a flush that emptied the input has been
  // reported.
  bool flushed = device_->TakeFlush() && !own_flush_;
  own_flush_ = false;
  Cancel();
  return flushed ? wire::ConsumedHow::kFlushed : wire::ConsumedHow::kRead;
}

void Receipt::Cancel() {
  outstanding_ = false;
  next_check_ = Time::max();
}

}  // namespace glasstty::holder

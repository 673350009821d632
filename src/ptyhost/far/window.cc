#include "far/window.h"

#include <algorithm>
#include <chrono>

namespace glasstty::far {
namespace {

using std::chrono::milliseconds;

constexpr uint64_t kLeast = 16 << 10, kMost = 1 << 20;
// The time that a ping waits behind output (beyond the shortest round trip).
// Below kGood, the window may grow; above kBad, it shrinks.
constexpr milliseconds kGood{100}, kBad{200};
constexpr milliseconds kBetween{20};

}  // namespace

bool Window::WantsPing(Time now) const {
  return !waits_ && arrived_ > 0 && now >= next_;
}

void Window::Sent(Time now) {
  waits_ = true;
  arrived_ = 0;
  next_ = now + kBetween;
}

// The window grows only if output of at least half its size has arrived since
// the ping; otherwise the window did not limit the output.
void Window::Answered(Time now, Duration round_trip) {
  waits_ = false;
  next_ = now + kBetween;
  least_ = std::min(least_, round_trip);
  Duration waited = round_trip - least_;
  if (waited > kBad) {
    bytes_ = std::max(kLeast, bytes_ / 2);
  } else if (waited < kGood && arrived_ >= bytes_ / 2) {
    bytes_ = std::min(kMost, bytes_ * 2);
  }
}

}  // namespace glasstty::far

// Time as the product sees it: monotonic time for waiting, wall time for
// showing.
//
// Clock is one of the three virtual seams (with Channel and Transport): tests
// drive the loop with ManualClock. Waits never use the wall clock, so setting
// it has no effect on them.
#pragma once

#include <chrono>
#include <cstdint>

namespace glasstty {

using Duration = std::chrono::nanoseconds;
// Since an arbitrary start; comparable within one boot, also across processes
// (CLOCK_MONOTONIC).
using Time = std::chrono::time_point<std::chrono::steady_clock, Duration>;

// Arguments of people and agents are seconds.
Duration FromSeconds(double seconds);

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time Now() const = 0;
};

// CLOCK_MONOTONIC.
class MonotonicClock : public Clock {
 public:
  Time Now() const override;
};

// Moves only when a test advances it.
class ManualClock : public Clock {
 public:
  Time Now() const override { return now_; }
  void Advance(Duration by) { now_ += by; }

 private:
  Time now_{std::chrono::seconds(1000)};
};

Time MonotonicNow();
// Milliseconds since 1970, UTC. For meta data only.
int64_t WallMilliseconds();

}  // namespace glasstty

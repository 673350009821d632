// Monotonic time for waiting, and wall-clock time for display.
//
// Clock is an interface so that tests can drive the loop with ManualClock.
// Waits never use the wall clock, so setting the wall clock does not affect
// them.
#pragma once

#include <chrono>
#include <cstdint>

namespace glasstty {

using Duration = std::chrono::nanoseconds;
// A time since an arbitrary start (CLOCK_MONOTONIC). Times of different
// processes can be compared, but not across a restart of the machine.
using Time = std::chrono::time_point<std::chrono::steady_clock, Duration>;

// Converts seconds, the unit in which people and agents give durations.
Duration FromSeconds(double seconds);

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time Now() const = 0;
};

// Uses CLOCK_MONOTONIC.
class MonotonicClock : public Clock {
 public:
  Time Now() const override;
};

// Stands still except when a test calls Advance.
class ManualClock : public Clock {
 public:
  Time Now() const override { return now_; }
  void Advance(Duration by) { now_ += by; }

 private:
  Time now_{std::chrono::seconds(1000)};
};

Time MonotonicNow();
// Returns milliseconds since 1970, UTC. Do not use this clock for waiting,
// because it can be set.
int64_t WallMilliseconds();

}  // namespace glasstty

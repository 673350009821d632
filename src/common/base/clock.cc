#include "base/clock.h"

#include <time.h>

namespace glasstty {

Duration FromSeconds(double seconds) {
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(seconds));
}

Time MonotonicNow() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return Time(std::chrono::seconds(t.tv_sec) +
              std::chrono::nanoseconds(t.tv_nsec));
}

Time MonotonicClock::Now() const { return MonotonicNow(); }

int64_t WallMilliseconds() {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return int64_t{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000;
}

}  // namespace glasstty

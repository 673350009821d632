// Tests both kinds of time: monotonic for waiting, and advanced by hand in
// tests.
#include "base/clock.h"

#include <gtest/gtest.h>

namespace glasstty {
namespace {

TEST(Clock, NeverGoesBack) {
  MonotonicClock clock;
  Time last = clock.Now();
  for (int i = 0; i < 10'000; ++i) {
    Time now = clock.Now();
    ASSERT_LE(last, now);
    last = now;
  }
}

TEST(Clock, ByHandMovesOnlyWhenTold) {
  ManualClock clock;
  Time start = clock.Now();
  EXPECT_EQ(clock.Now(), start);
  clock.Advance(std::chrono::hours(72));
  EXPECT_EQ(clock.Now() - start, std::chrono::hours(72));
}

TEST(Clock, WallTimeIsAfterThisWasWritten) {
  EXPECT_GT(WallMilliseconds(), 1'600'000'000'000);
}

}  // namespace
}  // namespace glasstty

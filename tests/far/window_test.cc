// Tests how much output may be on its way, on several kinds of lines.
#include "far/window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace glasstty::far {
namespace {

using std::chrono::milliseconds;

// Returns the window after endless output on a line that carries `rate` bytes a
// second with a round trip of `delay`: output that is on its way delays the
// ping's answer.
uint64_t Settled(Window* window, double rate, milliseconds delay) {
  Time now;
  for (int i = 0; i < 100; ++i) {
    window->Sent(now);
    double seconds = std::chrono::duration<double>(delay).count();
    auto on_its_way = static_cast<double>(window->bytes());
    seconds = std::max(seconds, on_its_way / rate);
    auto took = std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(seconds));
    window->Arrived(static_cast<size_t>(std::min(on_its_way, rate * seconds)));
    now += took;
    window->Answered(now, i == 0 ? Duration(delay) : took);
    now += milliseconds(50);
    window->Arrived(1);
  }
  return window->bytes();
}

TEST(Window, GrowsWhereTheLineIsLongAndFast) {
  Window window;
  EXPECT_EQ(Settled(&window, 50e6, milliseconds(40)), 1u << 20);
}

TEST(Window, StaysSmallWhereTheLineIsSlow) {
  Window window;
  uint64_t bytes = Settled(&window, 1e6, milliseconds(20));
  EXPECT_LE(bytes, 256u << 10);
  EXPECT_GE(bytes, 64u << 10);
  // The line becomes ten times slower from one moment to the next, like a
  // telephone line.
  EXPECT_LE(Settled(&window, 1e5, milliseconds(20)), 32u << 10);
}

TEST(Window, DoesNotGrowForAFewLines) {
  Window window;
  Time now;
  for (int i = 0; i < 20; ++i) {
    window.Arrived(100);
    window.Sent(now);
    window.Arrived(100);
    now += milliseconds(40);
    window.Answered(now, milliseconds(40));
  }
  EXPECT_EQ(window.bytes(), 128u << 10);
}

TEST(Window, AsksAgainOnlyWhenItWasAnswered) {
  Window window;
  Time now;
  EXPECT_FALSE(window.WantsPing(now));
  window.Arrived(1);
  EXPECT_TRUE(window.WantsPing(now));
  window.Sent(now);
  window.Arrived(1);
  EXPECT_FALSE(window.WantsPing(now + std::chrono::hours(1)));
}

}  // namespace
}  // namespace glasstty::far

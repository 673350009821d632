// A flood is much output for its time, and it lasts for a while.
#include "session/flood.h"

#include <gtest/gtest.h>

namespace glasstty::session {
namespace {

using std::chrono::milliseconds;

// Output that is fed as it comes.
class FloodTest : public ::testing::Test {
 protected:
  void Print(uint64_t bytes) {
    flood_.Arrived(now_);
    offset_ += bytes;
    flood_.Fed(now_, offset_);
  }
  void PrintFor(Duration time, Duration pause, uint64_t bytes) {
    for (Time end = now_ + time; now_ < end; now_ += pause) Print(bytes);
  }
  bool IsLasting(bool has_unfed = false) const {
    return flood_.IsLasting(now_, has_unfed);
  }

  Time now_{std::chrono::seconds(1000)};
  uint64_t offset_ = 0;
  Flood flood_{now_};
};

TEST_F(FloodTest, IsMuchOutput) {
  Print(64 << 10);
  EXPECT_FALSE(flood_.IsMuch());
  Print(1);
  EXPECT_TRUE(flood_.IsMuch());
}

TEST_F(FloodTest, LastsWhenItHasBeenMuchForMoreThanASecond) {
  Print(100'000);
  PrintFor(milliseconds(1000), milliseconds(100), 10'000);
  EXPECT_FALSE(IsLasting());
  PrintFor(milliseconds(300), milliseconds(100), 10'000);
  EXPECT_TRUE(IsLasting());
}

TEST_F(FloodTest, DoesNotLastBeforeTheSecondIsOver) {
  Print(100'000);
  for (int i = 0; i < 10; ++i) {
    now_ += milliseconds(100);
    Print(10'000);
  }
  EXPECT_FALSE(IsLasting());
  now_ += std::chrono::nanoseconds(1);
  Print(0);
  EXPECT_TRUE(IsLasting());
}

TEST_F(FloodTest, FallsBy64KiBASecondToTheByte) {
  for (uint64_t kept : {0u, 1u}) {
    Print((64 << 10) + kept);
    now_ += milliseconds(1000);
    Print(64 << 10);
    EXPECT_EQ(flood_.IsMuch(), kept > 0) << kept;
    now_ += milliseconds(10'000);
    Print(0);
  }
}

TEST_F(FloodTest, IsNoSpinnerOrProgressBarHoweverLong) {
  PrintFor(milliseconds(600'000), milliseconds(100), 80);
  EXPECT_FALSE(flood_.IsMuch());
  EXPECT_FALSE(IsLasting());
}

TEST_F(FloodTest, IsNoScreenThatIsDrawnEverySecond) {
  PrintFor(milliseconds(600'000), milliseconds(1000), 10'000);
  EXPECT_FALSE(flood_.IsMuch());
}

TEST_F(FloodTest, EndsWithAPauseOfASecond) {
  PrintFor(milliseconds(3000), milliseconds(100), 50'000);
  now_ = flood_.last() + milliseconds(999);
  EXPECT_TRUE(IsLasting());
  now_ += milliseconds(1);
  EXPECT_FALSE(IsLasting());
  Print(0);
  EXPECT_FALSE(flood_.IsMuch());
}

TEST_F(FloodTest, DoesNotPauseWhileItWaitsToBeFed) {
  PrintFor(milliseconds(3000), milliseconds(100), 50'000);
  now_ += milliseconds(5000);
  EXPECT_TRUE(IsLasting(/*has_unfed=*/true));
  flood_.Fed(now_, offset_ + 4096);
  EXPECT_TRUE(flood_.IsMuch());
  EXPECT_TRUE(IsLasting());
}

}  // namespace
}  // namespace glasstty::session

// What a flood is: much output, without a pause, for a while.
#include "session/flood.h"

#include <gtest/gtest.h>

namespace glasstty {
namespace {

using std::chrono::milliseconds;

// Output that is fed as it comes.
class FloodTest : public ::testing::Test {
 protected:
  void Print(uint64_t bytes) {
    flood_.Arrived(now_, offset_);
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

TEST_F(FloodTest, LastsLongerThanASecond) {
  Print(100'000);
  PrintFor(milliseconds(1000), milliseconds(100), 10);
  EXPECT_FALSE(IsLasting());
  PrintFor(milliseconds(200), milliseconds(100), 10);
  EXPECT_TRUE(IsLasting());
}

TEST_F(FloodTest, IsNoSpinner) {
  PrintFor(milliseconds(60'000), milliseconds(100), 2);
  EXPECT_FALSE(flood_.IsMuch());
  EXPECT_FALSE(IsLasting());
}

TEST_F(FloodTest, IsNoScreenThatIsDrawnEveryTwoSeconds) {
  PrintFor(milliseconds(600'000), milliseconds(2000), 4000);
  EXPECT_FALSE(flood_.IsMuch());
}

TEST_F(FloodTest, EndsWithAPauseOfASecond) {
  PrintFor(milliseconds(3000), milliseconds(100), 10'000);
  now_ += milliseconds(1000);
  EXPECT_FALSE(IsLasting());
  // Whether output comes again is not known before it does.
  EXPECT_TRUE(flood_.IsMuch());
  Print(1);
  EXPECT_FALSE(flood_.IsMuch());
}

TEST_F(FloodTest, DoesNotPauseWhileItWaitsToBeFed) {
  PrintFor(milliseconds(3000), milliseconds(100), 10'000);
  now_ += milliseconds(5000);
  EXPECT_TRUE(IsLasting(/*has_unfed=*/true));
  flood_.Fed(now_, offset_ + 4096);
  EXPECT_TRUE(flood_.IsMuch());
  EXPECT_TRUE(IsLasting());
}

}  // namespace
}  // namespace glasstty

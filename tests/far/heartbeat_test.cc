// Tests that the near end asks a silent far end, and then gives it up.
#include "far/heartbeat.h"

#include <gtest/gtest.h>

#include <chrono>

namespace glasstty::far {
namespace {

using Beat = Heartbeat::Beat;
using std::chrono::seconds;

constexpr Time kBegin{seconds(1000)};

TEST(Heartbeat, DoesNothingWithoutAConnection) {
  Heartbeat heartbeat;
  EXPECT_EQ(heartbeat.next(), Time::max());
  EXPECT_EQ(heartbeat.Check(kBegin, Time()), Beat::kNothing);
}

TEST(Heartbeat, IsLeftAloneWhileSomethingComes) {
  Heartbeat heartbeat;
  heartbeat.Start(kBegin);
  EXPECT_EQ(heartbeat.next(), kBegin + seconds(15));
  Time heard = kBegin + seconds(10);
  EXPECT_EQ(heartbeat.Check(kBegin + seconds(15), heard), Beat::kNothing);
  EXPECT_EQ(heartbeat.next(), heard + seconds(15));
}

TEST(Heartbeat, AsksEveryFiveSecondsAndGivesUpAfterThirty) {
  Heartbeat heartbeat;
  heartbeat.Start(kBegin);
  for (int at : {15, 20, 25}) {
    ASSERT_EQ(heartbeat.next(), kBegin + seconds(at));
    ASSERT_EQ(heartbeat.Check(kBegin + seconds(at), kBegin), Beat::kPing);
  }
  EXPECT_EQ(heartbeat.Check(kBegin + seconds(30), kBegin), Beat::kGiveUp);
}

TEST(Heartbeat, ALoopThatWasLateItselfListensAnew) {
  Heartbeat heartbeat;
  heartbeat.Start(kBegin);
  Time late = kBegin + seconds(60);
  EXPECT_EQ(heartbeat.Check(late, kBegin), Beat::kNothing);
  EXPECT_EQ(heartbeat.next(), late + seconds(15));
  EXPECT_EQ(heartbeat.Check(late + seconds(15), kBegin), Beat::kPing);
}

TEST(Heartbeat, StopsWithTheConnection) {
  Heartbeat heartbeat;
  heartbeat.Start(kBegin);
  heartbeat.Stop();
  EXPECT_EQ(heartbeat.Check(kBegin + seconds(60), kBegin), Beat::kNothing);
}

}  // namespace
}  // namespace glasstty::far

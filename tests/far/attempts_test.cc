// Tests that a place is tried again after pauses, if it has ever worked.
#include "far/attempts.h"

#include <gtest/gtest.h>

#include <chrono>

namespace glasstty::far {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Time kNow{seconds(1000)};

TEST(Attempts, WhatNeverWorkedIsNotRepeated) {
  Attempts attempts;
  attempts.Begin();
  attempts.Ended(seconds(0), /*is_explained=*/false);
  EXPECT_FALSE(attempts.MayRepeat());
}

TEST(Attempts, WhatWorkedIsRepeated) {
  Attempts attempts;
  attempts.Begin();
  attempts.Worked();
  attempts.Ended(seconds(1), /*is_explained=*/true);
  EXPECT_TRUE(attempts.MayRepeat());
}

TEST(Attempts, WhatWorkedForAnEarlierRelayIsRepeated) {
  Attempts attempts;
  attempts.WorkedBefore();
  attempts.Begin();
  EXPECT_TRUE(attempts.MayRepeat());
}

TEST(Attempts, AReasonThatStaysEndsThemUntilTheNextBegins) {
  Attempts attempts;
  attempts.WorkedBefore();
  attempts.Begin();
  attempts.Ended(seconds(0), /*is_explained=*/true);
  EXPECT_FALSE(attempts.MayRepeat());
  attempts.Begin();
  EXPECT_TRUE(attempts.MayRepeat());
}

TEST(Attempts, PausesGrowUpToHalfAMinute) {
  Attempts attempts;
  EXPECT_EQ(attempts.Schedule(kNow), kNow + milliseconds(100));
  EXPECT_EQ(attempts.Schedule(kNow), kNow + milliseconds(200));
  for (int i = 0; i < 20; ++i) attempts.Schedule(kNow);
  EXPECT_EQ(attempts.Schedule(kNow), kNow + seconds(30));
  EXPECT_EQ(attempts.next(), kNow + seconds(30));
}

TEST(Attempts, PauseIsShortAgainAfterAConnectionThatLasted) {
  Attempts attempts;
  for (int i = 0; i < 4; ++i) attempts.Schedule(kNow);  // the next is 1.6 s
  attempts.Begin();
  attempts.Worked();
  attempts.Ended(seconds(1), /*is_explained=*/false);
  EXPECT_EQ(attempts.Schedule(kNow), kNow + milliseconds(1600));
  attempts.Ended(seconds(10), /*is_explained=*/false);
  EXPECT_EQ(attempts.Schedule(kNow), kNow + milliseconds(100));
}

TEST(Attempts, BeginningOrCancellingLeavesNoTryThatIsDue) {
  Attempts attempts;
  attempts.Schedule(kNow);
  attempts.Begin();
  EXPECT_EQ(attempts.next(), Time::max());
  attempts.Schedule(kNow);
  attempts.Cancel();
  EXPECT_EQ(attempts.next(), Time::max());
}

}  // namespace
}  // namespace glasstty::far

// Tests that a session continues for a while without a server.
#include "holder/grace.h"

#include <gtest/gtest.h>

#include <chrono>

#include "wire/packets.h"

namespace glasstty::holder {
namespace {

using std::chrono::milliseconds;

constexpr Time kNow{std::chrono::seconds(1000)};

TEST(Grace, RunsOutOnce) {
  Grace grace(100);
  grace.Start(kNow);
  EXPECT_EQ(grace.next(), kNow + milliseconds(100));
  EXPECT_FALSE(grace.RunsOut(kNow + milliseconds(99)));
  EXPECT_TRUE(grace.RunsOut(kNow + milliseconds(100)));
  EXPECT_FALSE(grace.RunsOut(kNow + milliseconds(200)));
  EXPECT_TRUE(grace.is_over());
  EXPECT_FALSE(grace.running());
}

TEST(Grace, StoppingDoesNotUndoWhatIsOver) {
  Grace grace(100);
  grace.Start(kNow);
  ASSERT_TRUE(grace.RunsOut(kNow + milliseconds(100)));
  grace.Stop();
  EXPECT_TRUE(grace.is_over());
  grace.Reset();
  EXPECT_FALSE(grace.is_over());
}

TEST(Grace, HasNoEndForASessionThatIsKept) {
  Grace grace(wire::kKeepForever);
  grace.Start(kNow);
  EXPECT_FALSE(grace.running());
  EXPECT_EQ(grace.next(), Time::max());
}

TEST(Grace, EndsAtOnceWhereNoServerCanCome) {
  Grace grace(wire::kKeepForever);
  grace.Expire(kNow);
  EXPECT_TRUE(grace.RunsOut(kNow));
}

TEST(Grace, NewPeriodCountsFromTheNextStart) {
  Grace grace(100);
  grace.Start(kNow);
  grace.SetPeriod(500);
  EXPECT_EQ(grace.next(), kNow + milliseconds(100));
  grace.Start(kNow);
  EXPECT_EQ(grace.next(), kNow + milliseconds(500));
}

TEST(Grace, OfAnyLengthStaysRepresentable) {
  Grace grace(wire::kKeepForever - 1);
  grace.Start(kNow);
  EXPECT_GT(grace.next(), kNow);
  EXPECT_LT(grace.next(), Time::max());
}

}  // namespace
}  // namespace glasstty::holder

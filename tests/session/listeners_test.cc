// Tests how often the holder is asked who listens on a port, and whose question
// a report answers, on a manual clock.
#include "session/listeners.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace glasstty::session {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

class ListenersTest : public ::testing::Test {
 protected:
  // Asks when it is due, and the answer comes at once.
  void AskTimes(int count) {
    for (int i = 0; i < count; ++i) {
      if (clock_.Now() < listeners_.next()) {
        clock_.Advance(listeners_.next() - clock_.Now());
      }
      listeners_.Want();
      listeners_.OnReport(asked_, {});
    }
  }
  Duration Pause() const { return listeners_.next() - clock_.Now(); }

  ManualClock clock_;
  Loop loop_{&clock_};
  uint64_t asked_ = 0;
  Listeners listeners_{&loop_, [this](uint64_t serial) { asked_ = serial; }};
};

TEST_F(ListenersTest, AreAskedForMoreOftenAgainOnceNobodyHasAskedForAWhile) {
  AskTimes(1);
  EXPECT_EQ(Pause(), Listeners::kFirstPause);
  AskTimes(8);
  EXPECT_EQ(Pause(), Listeners::kLastPause);
  // Half a second in which it could have been asked is no such while.
  clock_.Advance(Pause() + 2 * Listeners::kLastPause);
  AskTimes(1);
  EXPECT_EQ(Pause(), Listeners::kLastPause);
  clock_.Advance(Pause() + 2 * Listeners::kLastPause + nanoseconds(1));
  AskTimes(1);
  EXPECT_EQ(Pause(), Listeners::kFirstPause);
}

TEST_F(ListenersTest, AreKnownOnlyByAnAnswerToALaterQuestion) {
  EXPECT_EQ(listeners_.After(0), nullptr);
  listeners_.Want();
  uint64_t before = listeners_.asked();
  EXPECT_EQ(listeners_.After(0), nullptr);
  listeners_.OnReport(before, {{.pid = 7, .ports = {80}}});
  ASSERT_NE(listeners_.After(0), nullptr);
  EXPECT_EQ(listeners_.After(0)->at(0).pid, 7);
  // The report is older than this question.
  EXPECT_EQ(listeners_.After(before), nullptr);
  AskTimes(1);
  ASSERT_NE(listeners_.After(before), nullptr);
  EXPECT_TRUE(listeners_.After(before)->empty());
}

}  // namespace
}  // namespace glasstty::session

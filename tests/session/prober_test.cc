// When the holder is asked, and which of its answers count, on a manual clock.
#include "session/prober.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace glasstty::session {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

class ProberTest : public ::testing::Test {
 protected:
  void Advance(Duration by) {
    clock_.Advance(by);
    loop_.RunReady();
  }
  void Answer(bool settled) {
    prober_.OnAnswer(prober_.sent(), {.settled = settled});
  }

  void Answer(wire::Waiting waiting, int32_t pgrp = 1) {
    prober_.Want();
    prober_.OnAnswer(
        prober_.sent(),
        {.foreground_pgrp = pgrp, .waiting = waiting, .settled = true});
  }
  bool IsSettled() const {
    return prober_.current() != nullptr && prober_.current()->settled;
  }

  ManualClock clock_;
  Loop loop_{&clock_};
  std::vector<uint64_t> asked_;
  Prober prober_{&loop_, [this](uint64_t serial) { asked_.push_back(serial); }};
};

TEST_F(ProberTest, OneQuestionAtATimeIsAsked) {
  prober_.Want();
  ASSERT_EQ(asked_, std::vector<uint64_t>{1});
  prober_.InputSent();
  prober_.Want();
  Advance(milliseconds(100));
  EXPECT_EQ(asked_.size(), 1u);
  Answer(false);
  prober_.Want();
  EXPECT_EQ(asked_, (std::vector<uint64_t>{1, 2}));
}

TEST_F(ProberTest, WhatIsSettledIsAskedAgainSoonerForWhoeverWantsThat) {
  prober_.Want();
  Answer(true);
  prober_.Want();
  Advance(milliseconds(1));
  prober_.Want(milliseconds(3));
  Advance(milliseconds(2));
  EXPECT_EQ(asked_.size(), 1u);
  prober_.Want(milliseconds(3));
  Advance(milliseconds(1));
  EXPECT_EQ(asked_.size(), 2u);
}

TEST_F(ProberTest, ANewConnectionAnswersNoQuestionFromBefore) {
  prober_.Want();
  prober_.ConnectedAgain();
  EXPECT_EQ(prober_.answered(), 0u);
  prober_.Want();
  EXPECT_EQ(asked_, (std::vector<uint64_t>{1, 2}));
  Answer(true);
  EXPECT_TRUE(IsSettled());
}

TEST_F(ProberTest, NothingIsAskedOnceNobodyWillAnswer) {
  prober_.Want();
  Answer(false);
  prober_.Want();
  prober_.Stop();
  prober_.Want();
  Advance(milliseconds(100));
  EXPECT_EQ(asked_.size(), 1u);
}

TEST_F(ProberTest, AnAnswerToAQuestionFromBeforeTheOutputDoesNotCount) {
  prober_.Want();
  prober_.OutputArrived();
  Answer(true);
  EXPECT_EQ(prober_.current(), nullptr);
  EXPECT_NE(prober_.last(), nullptr);
  prober_.Want();
  Advance(milliseconds(1));
  ASSERT_EQ(asked_.size(), 2u);
  Answer(true);
  EXPECT_NE(prober_.current(), nullptr);
}

TEST_F(ProberTest, ASettledAnswerIsFreshForSoLong) {
  prober_.Want();
  Answer(true);
  EXPECT_NE(prober_.fresh(), nullptr);
  Advance(Prober::kQuickestPace);
  EXPECT_NE(prober_.fresh(), nullptr);
  Advance(microseconds(1));
  EXPECT_EQ(prober_.fresh(), nullptr);
  EXPECT_NE(prober_.current(), nullptr);
  prober_.Want();
  EXPECT_EQ(asked_.size(), 2u);
}

TEST_F(ProberTest, ASilentProgramIsLookedAtLessOften) {
  EXPECT_EQ(prober_.pace(), Prober::kQuickestPace);
  Advance(std::chrono::seconds(1));
  EXPECT_EQ(prober_.pace(), Prober::kQuickestPace);
  Advance(std::chrono::seconds(7));
  EXPECT_EQ(prober_.pace(), milliseconds(100));
  Advance(std::chrono::hours(1));
  EXPECT_EQ(prober_.pace(), Prober::kSlowestPace);

  prober_.Want();
  Answer(true);
  prober_.Want();
  Advance(Prober::kSlowestPace - milliseconds(1));
  EXPECT_EQ(asked_.size(), 1u);
  EXPECT_NE(prober_.fresh(), nullptr) << "for as long as it is not asked again";
  Advance(milliseconds(1));
  EXPECT_EQ(asked_.size(), 2u);
}

TEST_F(ProberTest, OutputAndInputEndThat) {
  Advance(std::chrono::hours(1));
  prober_.OutputArrived();
  EXPECT_EQ(prober_.pace(), Prober::kQuickestPace);
  Advance(std::chrono::hours(1));
  prober_.InputSent();
  EXPECT_EQ(prober_.pace(), Prober::kQuickestPace);
}

// Every change makes somebody want to know.
TEST_F(ProberTest, WantingMoreOftenPutsNoQuestionOff) {
  prober_.Want();
  Answer(false);
  prober_.Want();
  prober_.OutputArrived();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(asked_.size(), 1u) << i;
    Advance(microseconds(100));
    prober_.Want();
  }
  EXPECT_EQ(asked_.size(), 2u) << "the pause is over";
}

TEST_F(ProberTest, WantingMoreOftenKeepsNoSettledAnswerAlive) {
  prober_.Want();
  Answer(true);
  prober_.Want();
  for (int i = 0; i < 25; ++i) {
    EXPECT_EQ(asked_.size(), 1u) << i;
    Advance(milliseconds(1));
    prober_.Want();
  }
  EXPECT_EQ(asked_.size(), 2u) << "it is as old as it may get";
}

TEST_F(ProberTest, AsksLessOftenUntilAnAnswerHasSettled) {
  prober_.Want();
  std::vector<Duration> pauses;
  for (int i = 0; i < 8; ++i) {
    Answer(false);
    prober_.Want();
    Time before = loop_.Now();
    size_t count = asked_.size();
    while (asked_.size() == count) Advance(microseconds(100));
    pauses.push_back(loop_.Now() - before);
  }
  EXPECT_EQ(pauses, (std::vector<Duration>{
                        microseconds(500), milliseconds(1), milliseconds(2),
                        milliseconds(4), milliseconds(8), milliseconds(16),
                        milliseconds(25), milliseconds(25)}));
  Answer(true);
  prober_.InputSent();
  prober_.Want();
  EXPECT_EQ(asked_.size(), 10u);
}

TEST_F(ProberTest, AQuietMomentAfterOutputEndsALongPause) {
  prober_.Want();
  for (int i = 0; i < 8; ++i) {
    Answer(false);
    prober_.Want();
    Advance(milliseconds(25));
  }
  Answer(false);
  prober_.Want();
  size_t count = asked_.size();
  prober_.OutputArrived();
  Advance(milliseconds(1));
  prober_.OutputArrived();
  Advance(milliseconds(1));
  EXPECT_EQ(asked_.size(), count);
  Advance(microseconds(500));
  EXPECT_EQ(asked_.size(), count + 1);
}

// Emacs collects garbage while it waits for a key, nvim has timers.
TEST_F(ProberTest, AProgramThatWaitedIsNotBusyWhenItRunsForAMoment) {
  Answer(wire::Waiting::kPoll);
  ASSERT_TRUE(IsSettled());
  Advance(milliseconds(30));
  Answer(wire::Waiting::kRunning);
  EXPECT_FALSE(IsSettled());
  Advance(milliseconds(9));
  Answer(wire::Waiting::kRunning);
  EXPECT_FALSE(IsSettled());
  Answer(wire::Waiting::kPoll);
  EXPECT_TRUE(IsSettled());
}

TEST_F(ProberTest, AProgramThatWaitedIsBusyOnceItHasRunForLonger) {
  Answer(wire::Waiting::kPoll);
  Advance(milliseconds(30));
  Answer(wire::Waiting::kRunning);
  Advance(milliseconds(10));
  Answer(wire::Waiting::kRunning);
  EXPECT_TRUE(IsSettled());
}

TEST_F(ProberTest, EachMomentOfRunningIsMeasuredFromItsOwnBeginning) {
  Answer(wire::Waiting::kPoll);
  Advance(milliseconds(30));
  Answer(wire::Waiting::kRunning);
  Advance(milliseconds(5));
  Answer(wire::Waiting::kPoll);
  Advance(milliseconds(30));
  Answer(wire::Waiting::kRunning);
  EXPECT_FALSE(IsSettled());
}

TEST_F(ProberTest, AProgramIsBusyAtOnceWhenItHasBeenSentInput) {
  Answer(wire::Waiting::kPoll);
  prober_.InputSent();
  Answer(wire::Waiting::kRunning);
  EXPECT_TRUE(IsSettled());
}

TEST_F(ProberTest, AnAnswerFromBeforeTheInputDoesNotMakeItAProgramThatWaits) {
  prober_.Want();
  prober_.InputSent();
  prober_.OnAnswer(
      prober_.sent(),
      {.foreground_pgrp = 1, .waiting = wire::Waiting::kPoll, .settled = true});
  Answer(wire::Waiting::kRunning);
  EXPECT_TRUE(IsSettled());
}

TEST_F(ProberTest, AnotherProgramIsBusyAtOnce) {
  Answer(wire::Waiting::kPoll, 1);
  Advance(milliseconds(30));
  Answer(wire::Waiting::kRunning, 2);
  EXPECT_TRUE(IsSettled());
}

}  // namespace
}  // namespace glasstty::session

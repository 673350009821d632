#include "waits/answering.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

#include "testing/fake_holder.h"

namespace glasstty::waits {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A program in raw mode that polls the terminal and has rested for long.
class AnsweringTest : public testing::Test {
 protected:
  AnsweringTest() {
    holder_.Answer(wire::Waiting::kPoll, false, false);
    holder_.Print("first screen");
    answering_.Begin(session_.get());
    Poll({.is_alone = 1});
    Pass(seconds(2));
  }

  void Poll(wire::PendingWork work) { holder_.Work(work); }
  void PollFor(int ms) { Poll({.is_alone = 1, .due_ms = {uint16_t(ms)}}); }
  void Pass(Duration time) {
    for (Duration step = milliseconds(1); time > Duration::zero();
         time -= step) {
      holder_.Advance(step);
    }
  }
  // Types a key that changes the screen at once.
  void Type(std::string_view change = "") {
    session_->Write("j");
    holder_.Consume();
    if (!change.empty()) holder_.Print(change);
    Pass(milliseconds(1));
  }
  bool IsOver() { return answering_.IsOver().met(); }
  // Returns how many milliseconds pass until it is over.
  int Takes() {
    int ms = 0;
    for (; !IsOver() && ms < 5'000; ++ms) Pass(milliseconds(1));
    return ms;
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({6, 40});
  session::Questions::Kept state_ =
      session_->questions().Keep(session::Interest::kForeground);
  Answering answering_;
};

TEST_F(AnsweringTest, AKeyThatHasChangedTheScreenIsAnsweredAtOnce) {
  Type("answer");
  EXPECT_LE(Takes(), 2);
}

TEST_F(AnsweringTest, AKeyThatHasChangedNothingGetsASecondLook) {
  Type();
  EXPECT_GE(Takes(), 25);
  Type();
  Pass(milliseconds(10));
  EXPECT_FALSE(IsOver());
  holder_.Print("late");
  Pass(milliseconds(4));
  EXPECT_TRUE(IsOver());
}

TEST_F(AnsweringTest, WhatWasTypedLongAgoIsAnswered) {
  Pass(seconds(2));
  Poll({.runs = 1});
  EXPECT_TRUE(IsOver());
}

TEST_F(AnsweringTest, AProgramThatReadsLinesHasAnsweredWhenItReadsTheNext) {
  holder_.Answer(wire::Waiting::kRead, true, true);
  PollFor(20);
  Type();
  EXPECT_EQ(Takes(), 0);
}

TEST_F(AnsweringTest, AnOlderHolderTellsNothingAndIsNotWaitedFor) {
  FakeHolder older;
  session::SessionRef session = older.Open({6, 40});
  older.Answer(wire::Waiting::kPoll, false, false);
  auto foreground = session->questions().Keep(session::Interest::kForeground);
  Answering answering;
  answering.Begin(session.get());
  session->Write("j");
  older.Print("answer");
  for (int i = 0; i < 3; ++i) older.Advance(milliseconds(1));
  EXPECT_TRUE(answering.IsOver().met());
}

TEST_F(AnsweringTest, AShortTimeOutIsWaitedFor) {
  PollFor(8);
  Type("part");
  int took = Takes();
  EXPECT_GE(took, 8);
  EXPECT_LE(took, 40);
}

TEST_F(AnsweringTest, NothingIsDueAnyMoreOnceTheProgramSleepsForLong) {
  PollFor(100);
  Type("part");
  Pass(milliseconds(40));
  EXPECT_FALSE(IsOver());
  Poll({.is_alone = 1});
  holder_.Print("rest");
  Pass(milliseconds(4));
  EXPECT_TRUE(IsOver());
}

TEST_F(AnsweringTest, FramesThatFollowEachOtherAreWaitedForAFewTimes) {
  PollFor(16);
  Type("part");
  int took = 0;
  for (; !IsOver() && took < 1'000; ++took) {
    if (took % 16 == 0) holder_.Print("x");
    Pass(milliseconds(1));
  }
  EXPECT_GE(took, 2 * 16);
  EXPECT_LE(took, 100);
}

TEST_F(AnsweringTest, WhatIsLeftOfATimeOutThatEndedEarlyCountsAsWell) {
  PollFor(30);
  Type("part");
  Pass(milliseconds(34));
  PollFor(1);
  Pass(milliseconds(3));
  EXPECT_FALSE(IsOver());
  EXPECT_LE(Takes(), 10);
}

TEST_F(AnsweringTest, ALongerTimeOutAfterAShortOneCountsAsWell) {
  PollFor(1);
  Type("part");
  Pass(milliseconds(6));
  PollFor(20);
  Pass(milliseconds(6));
  EXPECT_GE(Takes(), 10);
}

// A throttle lets a timer run for what is left of its time.
TEST_F(AnsweringTest, ATimerThatIsSetAgainIsWaitedForAgain) {
  PollFor(14);
  Type();
  Pass(milliseconds(15));
  PollFor(19);
  Pass(milliseconds(5));
  EXPECT_GE(Takes(), 14);
}

TEST_F(AnsweringTest, ATimeOutThatTheProgramAlwaysHasIsWaitedForOnce) {
  PollFor(50);
  Pass(seconds(2));
  answering_.Begin(session_.get());
  Type();
  int took = Takes();
  EXPECT_GE(took, 49);
  EXPECT_LE(took, 60);
}

TEST_F(AnsweringTest, AClockIsNotWaitedForThatTickedBeforeTheKey) {
  PollFor(80);
  for (int i = 0; i < 30; ++i) {
    holder_.Print("x");
    Pass(milliseconds(80));
  }
  Type("answer");
  EXPECT_LE(Takes(), 2);
  Pass(seconds(2));
  // A program that drew nothing may have something to draw now.
  Type("part");
  EXPECT_GE(Takes(), 70);
}

TEST_F(AnsweringTest, AThreadThatRunsIsWaitedFor) {
  Poll({.runs = 1});
  Type("part");
  Pass(milliseconds(400));
  EXPECT_FALSE(IsOver());
  Poll({.turns = 2});
  EXPECT_LE(Takes(), 20);
}

TEST_F(AnsweringTest, AThreadThatNeverRestsIsNotWaitedForForEver) {
  Poll({.runs = 1});
  Type("part");
  EXPECT_LE(Takes(), 3'100);
  // It was seen to compute by itself.
  Pass(seconds(2));
  Type("part");
  EXPECT_LE(Takes(), 310);
}

TEST_F(AnsweringTest, ASecondOfComputationWithoutAPauseIsWaitedFor) {
  Poll({.runs = 1});
  Type("part");
  for (int ms = 0; ms < 1'500; ms += 50) {
    ASSERT_FALSE(IsOver()) << ms;
    Pass(milliseconds(50));
  }
  Poll({.turns = 2});
  EXPECT_LE(Takes(), 60);  // The looks have become rarer.
}

TEST_F(AnsweringTest, ASpinnerThatTheKeyHasStartedIsNotWaitedForLikeThat) {
  Type("part");
  int ms = 0;
  for (; !IsOver() && ms < 5'000; ++ms) {
    if (ms % 80 == 0) Poll({.runs = 1});
    if (ms % 80 == 5) Poll({.is_alone = 1});
    Pass(milliseconds(1));
  }
  EXPECT_LE(ms, 1'100);
}

TEST_F(AnsweringTest, WhatFollowsALongComputationIsWaitedForAsWell) {
  Poll({.runs = 1});
  Type("part");
  for (int ms = 0; ms < 250; ++ms) {
    ASSERT_FALSE(IsOver()) << ms;
    Pass(milliseconds(1));
  }
  PollFor(100);
  int took = Takes();
  EXPECT_GE(took, 95);
  EXPECT_LE(took, 310);
}

// This is a wait of a later step of the same input.
TEST_F(AnsweringTest, WhatWasTypedJustBeforeItBeganCounts) {
  PollFor(20);
  Type("part");
  answering_ = Answering();
  answering_.Begin(session_.get());
  EXPECT_GE(Takes(), 15);
}

TEST_F(AnsweringTest, AProcessThatTheKeyHasStartedIsWaitedForBriefly) {
  Poll({.has_started = 1});
  Type("part");
  int took = Takes();
  EXPECT_GE(took, 250);
  EXPECT_LE(took, 310);
}

TEST_F(AnsweringTest, SeveralThreadsMustHaveRestedForAMoment) {
  Poll({.turns = 1});
  Type("part");
  EXPECT_FALSE(IsOver());
  for (uint64_t turns = 2; turns < 10; ++turns) {
    Poll({.turns = turns});
    Pass(milliseconds(3));
    EXPECT_FALSE(IsOver()) << turns;
  }
  int took = Takes();
  EXPECT_GE(took, 1);
  EXPECT_LE(took, 10);
}

TEST_F(AnsweringTest, EachKeyIsWaitedForAnew) {
  PollFor(8);
  Type("part");
  EXPECT_GE(Takes(), 8);
  Type("more");
  EXPECT_GE(Takes(), 8);
}

// A program that always waits for the terminal, while another of its threads or
// processes evaluates the line, or that polls while it works.
class EvaluatorTest : public AnsweringTest {
 protected:
  EvaluatorTest() { holder_.Print("\r\n> "); }

  void Wait(wire::Waiting waiting, bool is_alone) {
    holder_.Answer(waiting, false, false);
    Poll({.is_alone = is_alone});
    Pass(seconds(2));
    answering_ = Answering();
    answering_.Begin(session_.get());
  }
};

TEST_F(EvaluatorTest, HasAnsweredWhenItsPromptIsBack) {
  struct Row {
    wire::Waiting waiting;
    bool is_alone;
  };
  for (const Row& row : {Row{wire::Waiting::kRead, false},
                         Row{wire::Waiting::kPollTimeout, true}}) {
    Wait(row.waiting, row.is_alone);
    Type("1+1\r\n");
    Pass(milliseconds(700));
    EXPECT_FALSE(IsOver());
    holder_.Print("2\r\n");
    Pass(milliseconds(100));
    EXPECT_FALSE(IsOver());
    holder_.Print("> ");
    EXPECT_LE(Takes(), 5);
  }
}

// As irb does, before it prepares the terminal for its prompt.
TEST_F(EvaluatorTest, HasNotAnsweredWhileItOnlyLooksForAKey) {
  Wait(wire::Waiting::kPoll, true);
  Type("1+1\r\n2\r\n");
  holder_.Answer(wire::Waiting::kPollTimeout, /*canonical=*/true, true);
  Poll({.is_alone = 1, .due_ms = {1}});
  Pass(milliseconds(200));
  EXPECT_FALSE(IsOver());
  holder_.Print("> ");
  EXPECT_LE(Takes(), 20);
}

// As readline does in octave, which shows the opening parenthesis for half a
// second, and has taken the rest of the line from the kernel already.
TEST_F(EvaluatorTest, HasNotAnsweredWhileItsLineEditorWaitsInTheMiddle) {
  for (wire::Waiting at_prompt :
       {wire::Waiting::kPoll, wire::Waiting::kPollTimeout}) {
    // Octave looks for other events while it waits for a key.
    bool ticks = at_prompt == wire::Waiting::kPollTimeout;
    holder_.Answer(at_prompt, false, false);
    PollFor(ticks ? 100 : 0);
    Pass(seconds(2));
    answering_ = Answering();
    answering_.Begin(session_.get());
    Type("pause(3)\x1b[3D");
    holder_.Answer(wire::Waiting::kPollTimeout, false, false);
    Poll({.is_alone = 1});
    Pass(milliseconds(500));
    EXPECT_FALSE(IsOver());
    holder_.Print("\x1b[3C; f(1)\x1b[3D");
    Pass(milliseconds(600));
    EXPECT_FALSE(IsOver());
    holder_.Answer(at_prompt, false, false);
    holder_.Print("\x1b[3C\r\nans = 1\r\n> ");
    EXPECT_LE(Takes(), 5);
  }
}

// The lines of a text are typed one by one.
TEST_F(EvaluatorTest, HasNotAnsweredWhileItWaitsInTheMiddleOfALaterLine) {
  Wait(wire::Waiting::kPoll, true);
  Type("x = 1\r\nx = 1\r\n> ");
  Type("f(21)\x1b[4D");
  holder_.Answer(wire::Waiting::kPollTimeout, false, false);
  Poll({.is_alone = 1});
  Pass(milliseconds(600));
  EXPECT_FALSE(IsOver());
  holder_.Answer(wire::Waiting::kPoll, false, false);
  holder_.Print("\x1b[4C\r\nans = 43\r\n> ");
  EXPECT_LE(Takes(), 5);
}

TEST_F(EvaluatorTest, HasAnsweredAtOnceIfItsLineEditorAlwaysPolls) {
  Wait(wire::Waiting::kPollTimeout, true);
  Type("1+1");
  EXPECT_LE(Takes(), 5);
}

// As jshell does, whose evaluator is hardly ever seen at work.
TEST_F(EvaluatorTest, HasLongerWhileItUsesTheProcessor) {
  Wait(wire::Waiting::kRead, false);
  Type("slow\r\n");
  for (uint64_t i = 1; i <= 2'000; ++i) {
    Poll({.cpu_ns = i * 200'000});
    Pass(milliseconds(1));
    ASSERT_FALSE(IsOver()) << i;
  }
  EXPECT_LE(Takes(), 400);
}

// As the same on a busy machine.
TEST_F(EvaluatorTest, HasLongerWhileItWaitsForAProcessor) {
  Wait(wire::Waiting::kRead, false);
  Type("slow\r\n");
  for (int i = 1; i <= 2'000; ++i) {
    Poll({.runs = uint8_t(i % 100 >= 50)});
    Pass(milliseconds(1));
    ASSERT_FALSE(IsOver()) << i;
  }
  EXPECT_LE(Takes(), 400);
}

TEST_F(EvaluatorTest, HasNotAnsweredAnInterruptWhileItOnlyLooksForAKey) {
  Wait(wire::Waiting::kPoll, true);
  holder_.Print("1+1\r\n");
  answering_ = Answering();
  answering_.Begin(session_.get());
  Type("^C\r\n");
  holder_.Answer(wire::Waiting::kPollTimeout, /*canonical=*/true, true);
  Poll({.is_alone = 1, .due_ms = {1}});
  Pass(milliseconds(1));
  EXPECT_FALSE(IsOver());
}

TEST_F(EvaluatorTest, HasNoPromptBeforeItIsDrawnThoughNoLookHasSettled) {
  Wait(wire::Waiting::kRead, false);
  EXPECT_TRUE(answering_.HasPrompt().met());
  Type("1+1\r\n");
  EXPECT_FALSE(answering_.HasPrompt().met());
  holder_.Print("2\r\n> ");
  EXPECT_TRUE(answering_.HasPrompt().met());
}

TEST_F(EvaluatorTest, IsNotWaitedForWithoutEnd) {
  Wait(wire::Waiting::kRead, false);
  Type("quiet\r\n");
  int ms = Takes();
  EXPECT_GE(ms, 950);
  EXPECT_LE(ms, 1'050);
}

TEST_F(EvaluatorTest, HasAnsweredAtOnceWhereNobodyElseCanEvaluate) {
  Wait(wire::Waiting::kRead, true);
  Type("set\r\n");
  EXPECT_LE(Takes(), 5);
}

TEST_F(EvaluatorTest, HasAnsweredAtOnceWhereTheLineIsNotEntered) {
  Wait(wire::Waiting::kRead, false);
  Type("1+1");
  EXPECT_LE(Takes(), 10);
}

}  // namespace
}  // namespace glasstty::waits

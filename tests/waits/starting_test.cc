#include "waits/starting.h"

#include <gtest/gtest.h>

#include <chrono>

#include "waits/until_fixture.h"

namespace glasstty::waits {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Tests the wait of term_open, for a program that first asks the terminal
// something.
class StartingTest : public UntilTest {
 protected:
  void Open() {
    holder_.Answer(wire::Waiting::kPoll, false, false);
    BeginTyping(DefaultUntil(), {.baseline = {}, .just_opened = true});
    Start();
  }
  // Uses the processor for this share of each millisecond.
  std::string LookAfter(milliseconds time, int percent) {
    for (auto i = time; i > milliseconds(0) && Look().empty(); --i) {
      cpu_ns_ += uint64_t(percent) * 10'000;
      holder_.Work({.is_alone = 1, .cpu_ns = cpu_ns_});
      holder_.Advance(milliseconds(1));
    }
    return Look();
  }

  uint64_t cpu_ns_ = 50'000'000;
};

TEST_F(StartingTest, ABlankScreenIsNoFirstScreenWhileTheProgramComputes) {
  Open();
  EXPECT_EQ(LookAfter(seconds(2), 60), "");
  holder_.Print("welcome");
  EXPECT_EQ(LookAfter(milliseconds(30), 0), "input");
}

TEST_F(StartingTest, ItsSilenceDoesNotEndTheWaitEither) {
  Open();
  // The program is on the alternate screen, and has not polled the keyboard
  // yet.
  holder_.Answer(wire::Waiting::kSleepOther, false, false);
  holder_.Print("\033[?1049h\033[?25l\033[2;2H");
  EXPECT_EQ(LookAfter(seconds(2), 60), "");
  EXPECT_EQ(LookAfter(seconds(5), 0), "input");
}

TEST_F(StartingTest, ABlankScreenIsTheFirstOneOfAProgramThatRests) {
  Open();
  EXPECT_EQ(LookAfter(milliseconds(400), 1), "input");
}

TEST_F(StartingTest, ABackgroundIsNoFirstScreen) {
  holder_.Print("\033[44m\033[2J");
  Open();
  EXPECT_EQ(LookAfter(milliseconds(400), 60), "");
}

TEST_F(StartingTest, OnTheAlternateScreenMoreTimeIsGiven) {
  holder_.Print("\033[?1049h");
  Open();
  EXPECT_EQ(LookAfter(milliseconds(1'900), 0), "");
  EXPECT_EQ(LookAfter(milliseconds(400), 0), "input");
}

TEST_F(StartingTest, AnyTextIsAFirstScreen) {
  holder_.Print("welcome");
  Open();
  EXPECT_EQ(LookAfter(milliseconds(30), 60), "input");
}

// As ghci, racket and erl do: they say who they are, and load their libraries.
TEST_F(StartingTest, ALineIsNoPromptWhileTheProgramComputes) {
  for (wire::Waiting waiting :
       {wire::Waiting::kPoll, wire::Waiting::kRunning}) {
    holder_.Print("\033cwelcome\r\n");
    Open();
    holder_.Answer(waiting, false, false);
    EXPECT_EQ(LookAfter(seconds(2), 60), "");
    holder_.Answer(wire::Waiting::kPoll, false, false);
    holder_.Print("> ");
    EXPECT_EQ(LookAfter(milliseconds(30), 0), "input");
  }
}

TEST_F(StartingTest,
       AProgramThatComputesAndNeverPromptsIsNotWaitedForWithoutEnd) {
  holder_.Print("building\r\n");
  Open();
  holder_.Answer(wire::Waiting::kRunning, true, true);
  EXPECT_EQ(LookAfter(milliseconds(2'900), 60), "");
  EXPECT_EQ(LookAfter(milliseconds(400), 60), "quiet");
}

TEST_F(StartingTest, ALineIsTheFirstScreenOfAProgramThatRests) {
  holder_.Print("listening\r\n");
  Open();
  EXPECT_EQ(LookAfter(milliseconds(400), 0), "input");
}

TEST_F(StartingTest, AProgramThatReadsLinesHasStarted) {
  Open();
  holder_.Answer(wire::Waiting::kRead, true, true);
  EXPECT_EQ(LookAfter(milliseconds(30), 60), "input");
}

}  // namespace
}  // namespace glasstty::waits

// A session asks its holder only while somebody keeps an interest, and nobody
// has to look for that.
#include <gtest/gtest.h>

#include <chrono>

#include "session/session.h"
#include "testing/fake_holder.h"

namespace glasstty::session {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class InterestTest : public ::testing::Test {
 protected:
  size_t probes() const { return holder_.CountSent(wire::Probe::kType); }
  size_t trees() const { return holder_.CountSent(wire::Tree::kType); }
  void Pass(int steps, Duration step) {
    for (int i = 0; i < steps; ++i) holder_.Advance(step);
  }

  FakeHolder holder_;
  SessionRef session_ = holder_.Open({6, 40});
};

TEST_F(InterestTest, LooksAloneAskNothing) {
  holder_.Print("text");
  EXPECT_FALSE(session_->verdict().settled_state());
  EXPECT_EQ(session_->verdict().LastState().evidence, Evidence::kGuess);
  Pass(10, milliseconds(50));
  EXPECT_EQ(probes(), 0u);
  EXPECT_EQ(trees(), 0u);
}

TEST_F(InterestTest, TheFirstQuestionIsAskedAtOnce) {
  auto interest = session_->questions().Keep(Interest::kState);
  EXPECT_EQ(probes(), 1u);
  auto another = session_->questions().Keep(Interest::kForeground);
  EXPECT_EQ(probes(), 1u);
}

TEST_F(InterestTest, IsFollowedUpUntilTheLastOfThemIsGone) {
  holder_.Answer(wire::Waiting::kSleepOther);
  auto one = session_->questions().Keep(Interest::kState);
  auto other = session_->questions().Keep(Interest::kState);
  Pass(40, milliseconds(25));
  size_t asked = probes();
  EXPECT_GE(asked, 30u);
  one.reset();
  Pass(40, milliseconds(25));
  EXPECT_GE(probes(), asked + 30);
  other.reset();
  // A probe may be on its way.
  Pass(1, milliseconds(25));
  asked = probes();
  Pass(40, milliseconds(25));
  EXPECT_EQ(probes(), asked);
}

// No receipt comes, and nothing is printed.
TEST_F(InterestTest, InputThatNobodyReadsIsFollowedByAQuestionSoon) {
  holder_.Answer(wire::Waiting::kSleepOther);
  auto interest = session_->questions().Keep(Interest::kState);
  holder_.loop()->RunReady();
  ASSERT_TRUE(session_->verdict().settled_state());
  session_->Write("x");
  EXPECT_FALSE(session_->verdict().settled_state());
  holder_.Advance(Prober::kQuickestPace);
  EXPECT_TRUE(session_->verdict().settled_state());
}

TEST_F(InterestTest, TheSessionJudgesItselfThoughNobodyLooks) {
  holder_.Answer(wire::Waiting::kRead);
  EXPECT_FALSE(session_->input().prompt().has_been_ready());
  auto interest = session_->questions().Keep(Interest::kState);
  holder_.loop()->RunReady();
  EXPECT_TRUE(session_->input().prompt().has_been_ready());
}

// Its end is no sign that it ever waited for input.
TEST_F(InterestTest, AnExitIsNotJudged) {
  auto interest = session_->questions().Keep(Interest::kState);
  holder_.Exit(0);
  EXPECT_EQ(session_->verdict().settled_state()->activity, Activity::kExited);
  EXPECT_FALSE(session_->input().prompt().has_been_ready());
  size_t asked = probes();
  auto late = session_->questions().Keep(Interest::kForeground);
  auto ports = session_->questions().Keep(Interest::kPorts);
  Pass(10, milliseconds(50));
  EXPECT_EQ(probes(), asked);
  EXPECT_EQ(trees(), 0u);
}

TEST_F(InterestTest, OfAScreenCountsOnlyWhileTheProgramDrawsOne) {
  auto interest = session_->questions().Keep(Interest::kScreenState);
  holder_.Print("a line\r\n");
  Pass(10, milliseconds(25));
  EXPECT_EQ(probes(), 0u);
  holder_.Answer(wire::Waiting::kPoll);
  holder_.Print("\033[?1049hmenu");
  Pass(1, milliseconds(25));
  EXPECT_EQ(session_->verdict().settled_state()->activity, Activity::kInput);
  holder_.Print("\033[?1049l");
  Pass(1, milliseconds(25));
  size_t asked = probes();
  Pass(10, milliseconds(25));
  EXPECT_EQ(probes(), asked);
}

// The shell's own word needs no look, but names no process groups.
TEST_F(InterestTest, AtAMarkedPromptOnlyTheForegroundIsAskedFor) {
  holder_.Print("\033]133;A;aid=n0nce\a$ \033]133;B;aid=n0nce\a");
  ASSERT_TRUE(session_->input().prompt().at_fresh_prompt());
  auto interest = session_->questions().Keep(Interest::kState);
  EXPECT_EQ(session_->verdict().settled_state()->evidence, Evidence::kShell);
  EXPECT_TRUE(session_->input().prompt().has_been_ready());
  Pass(10, milliseconds(25));
  EXPECT_EQ(probes(), 0u);
  auto foreground = session_->questions().Keep(Interest::kForeground);
  EXPECT_EQ(probes(), 1u);
}

TEST_F(InterestTest, PortsAreAskedForWithGrowingPauses) {
  auto interest = session_->questions().Keep(Interest::kPorts);
  EXPECT_EQ(trees(), 1u);
  for (int i = 0; i < 100; ++i) {
    holder_.ReportListener(std::nullopt);
    holder_.Advance(milliseconds(10));
  }
  // After 50, 75, 112, 168 and then each 250 ms.
  EXPECT_EQ(trees(), 7u);
  interest.reset();
  Pass(100, milliseconds(10));
  EXPECT_EQ(trees(), 7u);
}

// A connection to another machine may be away for hours.
TEST_F(InterestTest, AHolderThatDoesNotAnswerIsAskedOnce) {
  auto interest = session_->questions().Keep(Interest::kPorts);
  EXPECT_EQ(session_->questions().listeners().next(), Time::max());
  Pass(100, milliseconds(100));
  EXPECT_EQ(trees(), 1u);
}

TEST_F(InterestTest, AListenerIsNamedByItsWholeCommandLine) {
  auto interest = session_->questions().Keep(Interest::kPorts);
  holder_.ReportListener(5173);
  const std::vector<ProcessInfo>* found =
      session_->questions().listeners().After(0);
  ASSERT_NE(found, nullptr);
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front().command, "node server.js");
  EXPECT_EQ(found->front().ports, std::vector<int>{5173});
}

}  // namespace
}  // namespace glasstty::session

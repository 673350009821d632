#include "session/questions.h"

#include <gtest/gtest.h>

#include <vector>

#include "session/recorded_channel.h"

namespace glasstty::session {
namespace {

class QuestionsTest : public ::testing::Test {
 protected:
  QuestionsTest() { Record(&link_, &sent_); }

  ManualClock clock_;
  Loop loop_{&clock_};
  HolderLink link_{/*remembers=*/false};
  std::vector<Received> sent_;
  int wanted_ = 0;
  Questions questions_{&loop_, &link_, [this] { ++wanted_; }};
};

TEST_F(QuestionsTest, KnowWhoIsInterestedAsLongAsTheyAre) {
  EXPECT_FALSE(questions_.IsWanted(Interest::kState));
  auto first = questions_.Keep(Interest::kState);
  auto second = questions_.Keep(Interest::kState);
  EXPECT_EQ(wanted_, 2);
  first.reset();
  EXPECT_TRUE(questions_.IsWanted(Interest::kState));
  EXPECT_FALSE(questions_.IsWanted(Interest::kPorts));
  second.reset();
  EXPECT_FALSE(questions_.IsWanted(Interest::kState));
}

TEST_F(QuestionsTest, AskNothingForNobody) {
  EXPECT_EQ(questions_.Ask(/*about_foreground=*/false, /*is_urgent=*/true),
            Time::max());
  EXPECT_TRUE(sent_.empty());
}

TEST_F(QuestionsTest, AskTheHolderAboutTheForeground) {
  EXPECT_EQ(questions_.Ask(true, false), clock_.Now() + Prober::kQuickestPace);
  ASSERT_EQ(sent_.size(), 1u);
  EXPECT_EQ(sent_[0].header.type, wire::Probe::kType);
}

TEST_F(QuestionsTest, AskMoreOftenWhileAnAnswerIsAwaited) {
  EXPECT_EQ(questions_.Ask(true, true), clock_.Now() + Prober::kQuickestPace);
  auto work = questions_.Keep(Interest::kWork);
  EXPECT_EQ(questions_.Ask(true, true), clock_.Now() + Questions::kAnswerPace);
}

TEST_F(QuestionsTest, AskWhoListensWhileSomebodyIsInterested) {
  auto ports = questions_.Keep(Interest::kPorts);
  questions_.Ask(false, false);
  ASSERT_EQ(sent_.size(), 1u);
  EXPECT_EQ(sent_[0].header.type, wire::Tree::kType);
}

}  // namespace
}  // namespace glasstty::session

#include "session/events.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string_view>
#include <vector>

namespace glasstty::session {
namespace {

class EventsTest : public ::testing::Test {
 protected:
  void Print(std::string_view bytes, bool is_live = true) {
    terminal_->Feed(bytes);
    events_.Take(
        terminal_.get(), now_, is_live, [this] { ++marks_; },
        [this] { marks_before_.push_back(marks_); });
    terminal_->TakeReplies();
  }

  std::unique_ptr<terminal::Terminal> terminal_ =
      *terminal::Terminal::Create({.size = {6, 20}, .nonce = "n"});
  Time now_{std::chrono::seconds(5)};
  int marks_ = 0;
  std::vector<int> marks_before_;  // each query
  Events events_{"n"};
};

TEST_F(EventsTest, AQueryIsToldBetweenTheMarksAroundIt) {
  Print("\033]133;A;n\033\\\033[c\033[6n\033]133;C;k=n\033\\");
  Print("\033[c\033]133;D;0;k=n\033\\");
  EXPECT_EQ(marks_before_, (std::vector<int>{1, 2}));
}

TEST_F(EventsTest, CountBellsAndTitles) {
  Print("\a\a\033]2;title\a");
  EXPECT_EQ(events_.bell_count(), 2u);
  EXPECT_EQ(events_.title_count(), 1u);
}

TEST_F(EventsTest, KeepLinksWithTheirLines) {
  Print("\r\n\033]8;;http://a/\033\\here\033]8;;\033\\");
  ASSERT_EQ(events_.links().size(), 1u);
  EXPECT_EQ(events_.links()[0].uri, "http://a/");
  EXPECT_EQ(events_.links()[0].line, 1);
}

TEST_F(EventsTest, TellOfTheEndOfAFrameOnce) {
  Print("\033[?2026h");
  EXPECT_EQ(events_.frame_began(), now_);
  EXPECT_FALSE(events_.TakeFrameEnd());
  Print("x\033[?2026l");
  EXPECT_TRUE(events_.TakeFrameEnd());
  EXPECT_FALSE(events_.TakeFrameEnd());
}

TEST_F(EventsTest, TellOfEachMark) {
  Print("\033]133;A;n\a$ \033]133;B;n\a");
  EXPECT_EQ(marks_, 2);
}

}  // namespace
}  // namespace glasstty::session

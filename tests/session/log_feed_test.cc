#include "session/log_feed.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "terminal/terminal.h"
#include "testing/fake_holder.h"
#include "testing/session_files.h"

namespace glasstty::session {
namespace {

class LogFeedTest : public testing::Test {
 protected:
  std::string Shown() const { return terminal_->TakeSnapshot().rows[0].text; }

  FakeHolder holder_;
  std::unique_ptr<terminal::Terminal> terminal_ =
      *terminal::Terminal::Create({.size = {6, 20}});
  int looks_ = 0;
  LogFeed feed_{holder_.loop(),
                holder_.directory(),
                "out",
                terminal_.get(),
                [](std::string_view bytes) { return bytes.size(); },
                [this] {
                  ++looks_;
                  return false;
                }};
};

// Whoever waits for the end of the output waits for this.
TEST_F(LogFeedTest, LooksAlsoWhenTheLogEndsInAHole) {
  WriteSegment(holder_.directory(), 0, "abc");
  WriteSegment(holder_.directory(), 10, "");
  feed_.SetEnd(10);
  holder_.loop()->RunReady();
  EXPECT_TRUE(feed_.drained());
  EXPECT_EQ(feed_.lost(), 7u);
  EXPECT_EQ(looks_, 2);
}

TEST_F(LogFeedTest, GoesOnWhereBytesFromMemoryWereSkippedInPart) {
  feed_.AddInline(3, "xyz");
  feed_.StartAt(4);
  holder_.loop()->RunReady();
  EXPECT_TRUE(feed_.drained());
  EXPECT_EQ(Shown(), "yz");
}

TEST_F(LogFeedTest, CallsAndResizesComeBetweenTheirTwoBytes) {
  WriteSegment(holder_.directory(), 0, "abcdef");
  std::string seen;
  for (uint64_t place : {2, 2, 4, 6}) {
    feed_.CallAt(place, [this, &seen] {
      seen += Shown() + "/" + std::to_string(terminal_->size().cols) + " ";
    });
  }
  feed_.AddResize(4, {6, 30});
  feed_.SetEnd(6);
  holder_.loop()->RunReady();
  EXPECT_EQ(seen, "ab/20 ab/20 abcd/30 abcdef/30 ");
}

TEST_F(LogFeedTest, WhatIsDueAtOnceNeedsNoTurn) {
  int called = 0;
  feed_.CallAt(0, [&] { feed_.CallAt(0, [&] { ++called; }); });
  EXPECT_EQ(called, 1);
  feed_.AddResize(0, {6, 30});
  EXPECT_EQ(terminal_->size(), (terminal::Size{6, 30}));
  feed_.StartAt(5);
  EXPECT_TRUE(feed_.drained());
  EXPECT_EQ(feed_.lost(), 5u);
  EXPECT_EQ(looks_, 0);
}

}  // namespace
}  // namespace glasstty::session

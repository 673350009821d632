#include "session/log_feed.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/status.h"
#include "terminal/terminal.h"
#include "testing/fake_holder.h"
#include "testing/no_descriptors.h"
#include "testing/session_files.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

using std::chrono::milliseconds;
using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

class LogFeedTest : public ::testing::Test {
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

// Nothing else tells why a screen is not what the program printed.
TEST_F(LogFeedTest, WarnsOfWhatTheScreenDoesNotShow) {
  CaptureStderr();
  WriteSegment(holder_.directory(), 0, "abc");
  feed_.AddResize(1, {6, 30});
  feed_.SetEnd(3);
  holder_.loop()->RunReady();
  EXPECT_EQ(Shown(), "abc");
  EXPECT_EQ(GetCapturedStderr(), "");
  CaptureStderr();
  WriteSegment(holder_.directory(), 10, "");
  feed_.SetEnd(10);
  holder_.loop()->RunReady();
  EXPECT_EQ(GetCapturedStderr(),
            "glasstty: warning: log: bytes 3 to 10 are lost\n");
  CaptureStderr();
  feed_.AddResize(10, {0, 0});
  EXPECT_NE(GetCapturedStderr().find("log: resize: "), std::string::npos);
  EXPECT_EQ(terminal_->size(), (terminal::Size{6, 30}));
}

TEST_F(LogFeedTest, WarnsOfALogThatCannotBeRead) {
  std::string segment = wire::SegmentName("out", 0);
  std::filesystem::remove(holder_.path() + "/" + segment);
  ASSERT_EQ(mkdirat(holder_.directory(), segment.c_str(), 0700), 0);
  CaptureStderr();
  feed_.SetEnd(3);
  holder_.loop()->RunReady();
  EXPECT_NE(GetCapturedStderr().find("log: read the log at byte 0: "),
            std::string::npos);
  EXPECT_FALSE(feed_.drained());
}

// A shortage that has passed must leave no trace.
TEST_F(LogFeedTest, ReadsOnOnceALogCanBeReadAgain) {
  WriteSegment(holder_.directory(), 0, "abc");
  CaptureStderr();
  {
    NoDescriptors none;
    feed_.SetEnd(3);
    holder_.loop()->RunReady();
  }
  EXPECT_NE(GetCapturedStderr().find("Too many open files"), std::string::npos);
  EXPECT_FALSE(feed_.drained());
  EXPECT_TRUE(feed_.trouble().ok());
  holder_.Advance(milliseconds(20));
  EXPECT_TRUE(feed_.drained());
  EXPECT_EQ(Shown(), "abc");
}

TEST_F(LogFeedTest, SaysWhatKeepsALogFromBeingReadAndHealsByItself) {
  std::string segment = holder_.path() + "/" + wire::SegmentName("out", 0);
  std::filesystem::remove(segment);
  ASSERT_EQ(mkdir(segment.c_str(), 0700), 0);
  feed_.SetEnd(3);
  holder_.loop()->RunReady();
  for (int pause : {20, 40, 80}) holder_.Advance(milliseconds(pause));
  EXPECT_EQ(Message(feed_.trouble()), "read the log at byte 0: Is a directory");
  // Whoever waits has been told.
  EXPECT_EQ(looks_, 1);
  std::filesystem::remove(segment);
  WriteSegment(holder_.directory(), 0, "abc");
  holder_.Advance(std::chrono::seconds(5));
  EXPECT_TRUE(feed_.trouble().ok());
  EXPECT_EQ(Shown(), "abc");
}

TEST_F(LogFeedTest, WhatACompleteLogLacksIsLost) {
  WriteSegment(holder_.directory(), 0, "abc");
  feed_.SetEnd(10);
  holder_.loop()->RunReady();
  EXPECT_FALSE(feed_.drained());
  feed_.EndWithFiles();
  holder_.loop()->RunReady();
  EXPECT_TRUE(feed_.drained());
  EXPECT_EQ(feed_.lost(), 7u);
}

TEST_F(LogFeedTest, TheEndOfACompleteLogIsFoundWhenDescriptorsAreFreeAgain) {
  WriteSegment(holder_.directory(), 0, "abc");
  {
    NoDescriptors none;
    feed_.EndWithFiles();
    holder_.loop()->RunReady();
  }
  EXPECT_FALSE(feed_.drained());
  holder_.Advance(milliseconds(20));
  EXPECT_TRUE(feed_.drained());
  EXPECT_EQ(Shown(), "abc");
}

// Whoever waits for the end of the output waits for this.
TEST_F(LogFeedTest, LooksAgainWhenAnEndWithoutNewBytesIsFoundLate) {
  WriteSegment(holder_.directory(), 0, "abc");
  feed_.SetEnd(3);
  holder_.loop()->RunReady();
  ASSERT_EQ(looks_, 1);
  {
    NoDescriptors none;
    feed_.EndWithFiles();
    for (int pause : {20, 40, 80}) holder_.Advance(milliseconds(pause));
  }
  EXPECT_FALSE(feed_.drained());
  EXPECT_FALSE(feed_.trouble().ok());
  EXPECT_EQ(looks_, 2);
  holder_.Advance(std::chrono::seconds(5));
  EXPECT_TRUE(feed_.drained());
  EXPECT_TRUE(feed_.trouble().ok());
  EXPECT_EQ(looks_, 3);
}

// A pipe of the segment's name would block whoever opens it.
TEST_F(LogFeedTest, APipeInPlaceOfTheLogBlocksNothing) {
  std::string segment = holder_.path() + "/" + wire::SegmentName("out", 0);
  std::filesystem::remove(segment);
  ASSERT_EQ(mkfifo(segment.c_str(), 0600), 0);
  feed_.SetEnd(3);
  holder_.loop()->RunReady();
  EXPECT_FALSE(feed_.drained());
}

TEST_F(LogFeedTest, WhatIsNeverHandedOverIsLostInTheEnd) {
  WriteSegment(holder_.directory(), 0, "abc");
  feed_.SetEnd(10);
  holder_.loop()->RunReady();
  for (int pause : {20, 40, 80, 160, 320, 640, 1280, 2560}) {
    EXPECT_EQ(feed_.lost(), 0u);
    holder_.Advance(milliseconds(pause));
  }
  EXPECT_TRUE(feed_.drained());
  EXPECT_EQ(feed_.lost(), 7u);
}

// The disk is still full, so no later segment shows where the hole ends.
TEST_F(LogFeedTest, GoesOnBehindAHoleThatTheHolderTellsOf) {
  WriteSegment(holder_.directory(), 0, "abc");
  feed_.SetEnd(3);
  feed_.AddHole({.offset = 3, .bytes = 7});
  feed_.AddInline(10, "xyz");
  holder_.loop()->RunReady();
  EXPECT_TRUE(feed_.drained());
  EXPECT_EQ(feed_.lost(), 7u);
  EXPECT_EQ(terminal_->Lines(2, 3).at(0).text, "xyz");
}

}  // namespace
}  // namespace glasstty::session

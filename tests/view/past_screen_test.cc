#include "view/past_screen.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "support/status.h"
#include "testing/fake_holder.h"
#include "testing/session_files.h"
#include "view/render.h"

namespace glasstty::view {

using terminal::Size;

namespace {

// A session of 6x20 that began 100 s ago.
class PastScreenTest : public testing::Test {
 protected:
  PastScreenTest() { Events({}); }

  // Adds events to the initial size.
  void Events(std::vector<wire::EventRecord> more) {
    more.insert(more.begin(), EventAt(0, wire::EventType::kResize, 0, 6, 20));
    WriteEvents(holder_.directory(), more);
  }
  absl::StatusOr<PastScreen> Look(const std::string& when) {
    std::optional<absl::StatusOr<PastScreen>> result;
    Start(ScreenAt(session_, when, nullptr),
          [&result](absl::StatusOr<PastScreen> r) { result = std::move(r); });
    holder_.loop()->RunReady();
    if (!result) holder_.Advance(std::chrono::seconds(31));
    if (!result) return Internal("it never ended");
    return *std::move(result);
  }
  std::string TextAt(const std::string& when) {
    auto screen = Look(when);
    return screen.ok() ? RenderScreen(screen->snapshot)
                       : Message(screen.status());
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({6, 20});
};

TEST_F(PastScreenTest, ShowsTheScreenAtAnOffset) {
  holder_.Print("one\r\n");
  holder_.Print("\x1b[2J\x1b[Hpage");
  EXPECT_EQ(TextAt("5"), "one");
  EXPECT_EQ(TextAt("16"), "page");
  EXPECT_EQ(TextAt("2"), "on");
  EXPECT_EQ(TextAt("0"), "");
}

TEST_F(PastScreenTest, ShowsTheScreenOfSoManySecondsAgo) {
  holder_.Print("early");
  holder_.Print("\rlater");
  Events({EventAt(10, wire::EventType::kTime, 0),
          EventAt(60, wire::EventType::kTime, 5)});
  EXPECT_EQ(TextAt("-50s"), "early");
  EXPECT_EQ(TextAt("-40s"), "later");
  EXPECT_EQ(TextAt("-0.5s"), "later");
  EXPECT_EQ(TextAt("-95s"), "");
  auto screen = Look("-50s");
  ASSERT_TRUE(screen.ok());
  EXPECT_EQ(screen->offset, 5u);
  EXPECT_NEAR(screen->ago_s, 90, 0.01);
}

TEST_F(PastScreenTest, CountsFromTheExitOfAProgramThatHasExited) {
  holder_.Print("early");
  holder_.Print("\rlater");
  Events({EventAt(10, wire::EventType::kTime, 0),
          EventAt(20, wire::EventType::kTime, 5),
          EventAt(25, wire::EventType::kExit, 11)});
  EXPECT_EQ(TextAt("-10s"), "early");
  EXPECT_EQ(TextAt("-5s"), "later");
}

TEST_F(PastScreenTest, HasTheSizeOfThatMoment) {
  holder_.Print("0123456789");
  holder_.Print("\r\nabc");
  Events({EventAt(4, wire::EventType::kTime, 0),
          EventAt(5, wire::EventType::kResize, 10, 3, 8),
          EventAt(5.8, wire::EventType::kTime, 10),
          EventAt(6, wire::EventType::kResize, 15, 10, 40)});
  auto before = Look("9");
  ASSERT_TRUE(before.ok());
  EXPECT_EQ(before->snapshot.size, (Size{6, 20}));
  auto between = Look("14");
  ASSERT_TRUE(between.ok());
  EXPECT_EQ(between->snapshot.size, (Size{3, 8}));
  auto after = Look("15");
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(after->snapshot.size, (Size{10, 40})) << "the end is the present";
  auto at_resize = Look("10");
  ASSERT_TRUE(at_resize.ok());
  EXPECT_EQ(at_resize->snapshot.size, (Size{6, 20}));
  auto by_time = Look("-94.5s");
  ASSERT_TRUE(by_time.ok());
  EXPECT_EQ(by_time->snapshot.size, (Size{3, 8}));
}

TEST_F(PastScreenTest, ASizeThatCameAtTheWantedTimeIsThere) {
  holder_.Print("0123456789");
  holder_.Print("\r\nabc");
  Events({EventAt(4, wire::EventType::kTime, 0),
          EventAt(5, wire::EventType::kResize, 10, 3, 8),
          EventAt(6, wire::EventType::kTime, 10),
          EventAt(25, wire::EventType::kExit, 15)});
  auto then = Look("-20s");
  ASSERT_TRUE(then.ok()) << then.status();
  EXPECT_EQ(then->snapshot.size, (Size{3, 8}));
  auto before = Look("-20.5s");
  ASSERT_TRUE(before.ok()) << before.status();
  EXPECT_EQ(before->snapshot.size, (Size{6, 20}));
}

TEST_F(PastScreenTest, AnOffsetIsBeforeASizeThatCameRightThere) {
  holder_.Print("01234");
  // This is within the first second, when little else has happened yet.
  Events({EventAt(0.5, wire::EventType::kResize, 3, 3, 8)});
  auto at_resize = Look("3");
  ASSERT_TRUE(at_resize.ok()) << at_resize.status();
  EXPECT_EQ(at_resize->snapshot.size, (Size{6, 20}));
  auto after = Look("4");
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(after->snapshot.size, (Size{3, 8}));
}

TEST_F(PastScreenTest, NoSecondsAgoIsThePresent) {
  holder_.Print("one");
  EXPECT_EQ(TextAt("-0s"), "one");
}

TEST_F(PastScreenTest, SaysWhatTheLogNoLongerHolds) {
  holder_.Print("gone\r\nkept");
  std::string first = wire::SegmentName("out", 0);
  ASSERT_EQ(unlinkat(holder_.directory(), first.c_str(), 0), 0);
  WriteSegment(holder_.directory(), 6, "kept");
  auto screen = Look("10");
  ASSERT_TRUE(screen.ok()) << screen.status();
  EXPECT_EQ(screen->lost, 6u);
  EXPECT_EQ(RenderScreen(screen->snapshot), "kept");
  screen = Look("3");
  ASSERT_TRUE(screen.ok()) << screen.status();
  EXPECT_EQ(screen->lost, 3u);
}

TEST_F(PastScreenTest, LeavesTheSessionAlone) {
  holder_.Print("one\x1b[c\x1b]133;A\x07");
  size_t sent = holder_.sent().size();
  uint64_t revision = session_->output().terminal().revision();
  EXPECT_EQ(TextAt("12"), "one");
  EXPECT_EQ(holder_.sent().size(), sent) << "no query is answered twice";
  EXPECT_EQ(session_->output().terminal().revision(), revision);
}

TEST_F(PastScreenTest, ALogThatCannotBeReadIsAnErrorAndNotAHang) {
  holder_.Print("one");
  std::string first = wire::SegmentName("out", 0);
  ASSERT_EQ(unlinkat(holder_.directory(), first.c_str(), 0), 0);
  ASSERT_EQ(symlinkat("/nowhere", holder_.directory(), first.c_str()), 0);
  EXPECT_EQ(TextAt("3"),
            "at=3: only 0 of 3 bytes of the log were replayed in time");
}

TEST_F(PastScreenTest, WhatIsNoMomentIsRefused) {
  holder_.Print("abc");
  EXPECT_EQ(TextAt("4"), "at=4: the output ends at byte 3");
  for (const char* bad : {"", "x", "-", "-s", "-5", "5s", "--5s", "-nans"}) {
    EXPECT_NE(TextAt(bad).find("give a time before now"), std::string::npos)
        << bad;
  }
}

}  // namespace
}  // namespace glasstty::view

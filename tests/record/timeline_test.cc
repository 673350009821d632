#include "record/timeline.h"

#include <gtest/gtest.h>

#include <vector>

namespace glasstty::record {
namespace {

constexpr uint64_t kStart = 5'000'000'000;

wire::EventRecord At(double seconds, wire::EventType type, uint64_t offset,
                     uint32_t a = 0, uint32_t b = 0) {
  wire::EventRecord record;
  record.offset = offset;
  record.monotonic_ns = kStart + static_cast<uint64_t>(seconds * 1e9);
  record.type = type;
  record.a = a;
  record.b = b;
  return record;
}

// Returns a timeline with output at 1 s (100 bytes) and at 4 s, a resize
// between them, and the exit.
Timeline ExampleTimeline() {
  return Timeline({At(0, wire::EventType::kResize, 0, 24, 80),
                   At(1, wire::EventType::kTime, 0),
                   At(3, wire::EventType::kResize, 100, 40, 120),
                   At(4, wire::EventType::kTime, 100),
                   At(6, wire::EventType::kExit, 150, 0x100)});
}

TEST(Timeline, KnowsWhenAByteWasPrinted) {
  Timeline timeline = ExampleTimeline();
  EXPECT_EQ(timeline.SecondsAt(uint64_t{0}), 1);
  EXPECT_EQ(timeline.SecondsAt(99), 1);
  EXPECT_EQ(timeline.SecondsAt(100), 4);
  EXPECT_EQ(timeline.SecondsAt(1'000), 4);
}

TEST(Timeline, KnowsHowFarTheOutputHadCome) {
  Timeline timeline = ExampleTimeline();
  EXPECT_EQ(timeline.OffsetAt(0.9, 150), 0u);
  EXPECT_EQ(timeline.OffsetAt(1, 150), 100u);
  EXPECT_EQ(timeline.OffsetAt(3.9, 150), 100u);
  EXPECT_EQ(timeline.OffsetAt(4, 150), 150u);
  EXPECT_EQ(timeline.OffsetAt(100, 150), 150u);
}

TEST(Timeline, NeverGoesBeyondTheEnd) {
  EXPECT_EQ(ExampleTimeline().OffsetAt(1, 60), 60u);
}

TEST(Timeline, HasTheSizesAndTheExit) {
  Timeline timeline = ExampleTimeline();
  ASSERT_EQ(timeline.resizes().size(), 2u);
  EXPECT_EQ(timeline.resizes()[1].offset, 100u);
  EXPECT_EQ(timeline.resizes()[1].size, (terminal::Size{40, 120}));
  EXPECT_EQ(timeline.resizes()[1].seconds, 3);
  ASSERT_TRUE(timeline.exit());
  EXPECT_EQ(timeline.exit()->status, 0x100);
  EXPECT_EQ(timeline.exit()->seconds, 6);
}

TEST(Timeline, CountsFromTheStartOfTheSession) {
  Time now{Duration(kStart + 2'500'000'000)};
  EXPECT_EQ(ExampleTimeline().SecondsAt(now), 2.5);
}

TEST(Timeline, KnowsWhoHadTheKeyboardAndTyped) {
  Timeline timeline({At(0, wire::EventType::kResize, 0, 24, 80),
                     At(1, wire::EventType::kTyped, 0, 0),
                     At(2, wire::EventType::kTurn, 5, 1),
                     At(3, wire::EventType::kTyped, 5, 1),
                     At(4, wire::EventType::kTurn, 9, 0),
                     At(5, wire::EventType::kBreak, 9),
                     At(6, wire::EventType::kTurn, 9, 1)});
  ASSERT_EQ(timeline.turns().size(), 2u);
  EXPECT_EQ(timeline.turns()[0].begin, 2);
  EXPECT_EQ(timeline.turns()[0].end, 4);
  EXPECT_EQ(timeline.turns()[1].begin, 6);
  EXPECT_LT(timeline.turns()[1].end, 0);
  ASSERT_EQ(timeline.typed().size(), 2u);
  EXPECT_FALSE(timeline.typed()[0].by_person);
  EXPECT_TRUE(timeline.typed()[1].by_person);
  EXPECT_EQ(timeline.breaks(), std::vector<double>{5});
}

// Old records go with the output of their time.
TEST(Timeline, TurnWithoutABeginningBeganWithTheSession) {
  Timeline timeline({At(0, wire::EventType::kResize, 0, 24, 80),
                     At(4, wire::EventType::kTurn, 9, 0)});
  ASSERT_EQ(timeline.turns().size(), 1u);
  EXPECT_EQ(timeline.turns()[0].begin, 0);
  EXPECT_EQ(timeline.turns()[0].end, 4);
}

TEST(Timeline, SkipsEventsOfLaterVersions) {
  Timeline timeline({At(0, wire::EventType::kResize, 0, 24, 80),
                     At(1, static_cast<wire::EventType>(77), 0, 1),
                     At(2, wire::EventType::kTime, 0)});
  EXPECT_EQ(timeline.SecondsAt(uint64_t{0}), 2);
  EXPECT_EQ(timeline.resizes().size(), 1u);
}

TEST(Timeline, WithoutEventsEverythingIsAtTheBeginning) {
  Timeline timeline({});
  EXPECT_EQ(timeline.SecondsAt(uint64_t{7}), 0);
  EXPECT_EQ(timeline.OffsetAt(3, 10), 10u);
  EXPECT_FALSE(timeline.exit());
}

}  // namespace
}  // namespace glasstty::record

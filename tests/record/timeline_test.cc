#include "record/timeline.h"

#include <gtest/gtest.h>

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

TEST(Timeline, WithoutEventsEverythingIsAtTheBeginning) {
  Timeline timeline({});
  EXPECT_EQ(timeline.SecondsAt(uint64_t{7}), 0);
  EXPECT_EQ(timeline.OffsetAt(3, 10), 10u);
  EXPECT_FALSE(timeline.exit());
}

}  // namespace
}  // namespace glasstty::record

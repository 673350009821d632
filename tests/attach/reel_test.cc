// Recordings that are ready to be played.
#include "attach/reel.h"

#include <gtest/gtest.h>

namespace glasstty::attach {
namespace {

constexpr int64_t kSecond = 1'000'000;

std::vector<int64_t> Cut(std::vector<int64_t> times, int64_t longest) {
  std::vector<record::CastEvent> events(times.size());
  for (size_t i = 0; i < times.size(); ++i) events[i].us = times[i];
  CutPauses(longest, &events);
  for (size_t i = 0; i < times.size(); ++i) times[i] = events[i].us;
  return times;
}

TEST(Reel, ShortensOnlyLongPauses) {
  EXPECT_EQ(Cut({1, 5, 100, 101}, 10), (std::vector<int64_t>{1, 5, 15, 16}));
  EXPECT_EQ(Cut({50, 60}, 10), (std::vector<int64_t>{10, 20}));
  EXPECT_EQ(Cut({}, 10), std::vector<int64_t>());
}

TEST(Reel, TimesThatGoBackwardsDoNot) {
  EXPECT_EQ(Cut({10, 5, 12}, 100), (std::vector<int64_t>{10, 10, 12}));
}

TEST(Reel, WritesTimesAsPeopleDo) {
  EXPECT_EQ(ClockText(0), "0:00");
  EXPECT_EQ(ClockText(67 * kSecond), "1:07");
  EXPECT_EQ(ClockText((3600 + 2 * 60 + 3) * kSecond), "1:02:03");
}

}  // namespace
}  // namespace glasstty::attach

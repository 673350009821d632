#include "support/local_time.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

namespace glasstty {
namespace {

TEST(LocalTime, IsThatOfTheZoneOfThisProcess) {
  constexpr int64_t kWall = 1'795'877'920'000;  // 2026-11-28 14:58:40 UTC
  const struct {
    const char* zone;
    int64_t ahead_s;
    const char* clock;
  } rows[] = {{"UTC", 0, "14:58:40"},
              {"EET-02:30", 9'000, "17:28:40"},
              {"XXX+15", -54'000, "23:58:40"},
              {"XXX-10", 36'000, "00:58:40"}};
  for (const auto& row : rows) {
    setenv("TZ", row.zone, 1);
    tzset();
    EXPECT_EQ(ZoneSeconds(kWall), row.ahead_s) << row.zone;
    EXPECT_EQ(ClockText(kWall), row.clock) << row.zone;
    EXPECT_EQ(ClockText(kWall + 999), row.clock) << row.zone;
  }
  setenv("TZ", "UTC", 1);
  tzset();
}

}  // namespace
}  // namespace glasstty

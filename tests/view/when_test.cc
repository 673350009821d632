#include "view/when.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

namespace glasstty::view {
namespace {

// 2026-11-28 14:58:40 UTC.
constexpr int64_t kStart = 1'795'877'920'000;

// Local time is two and a half hours ahead of UTC.
class When : public ::testing::Test {
 protected:
  When() { SetZone("EET-02:30"); }
  ~When() override { SetZone("UTC"); }
  static void SetZone(const char* zone) {
    setenv("TZ", zone, 1);
    tzset();
  }
};

TEST_F(When, IsATimeBeforeNowOrAfterTheStart) {
  const struct {
    const char* text;
    std::optional<double> seconds;
  } rows[] = {
      {"-30s", 70},           {"-1m", 40},
      {"-0s", 100},           {"-2h", 0},
      {"+15s", 15},           {"+1m", 60},
      {"+2m", std::nullopt},  {"30s", std::nullopt},
      {"--3s", std::nullopt}, {"+-3s", std::nullopt},
      {"-3", std::nullopt},   {"", std::nullopt},
      {"-", std::nullopt},    {"-nans", std::nullopt},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(ParseWhen(row.text, kStart, 100), row.seconds) << row.text;
  }
}

TEST_F(When, IsTheLastSuchTimeOfDayThatHasPassed) {
  const struct {
    const char* text;
    double now_s;
    std::optional<double> seconds;
  } rows[] = {
      {"17:28:55", 100, 15},
      {"17:29", 100, 20},
      {"17:28:00", 100, 0},
      {"17:28:55", 86'400 + 100, 86'400 + 15},
      {"00:04:40", 10 * 3600, 6.6 * 3600},
      // This time was before the session began, so its start is meant.
      {"18:00:00", 100, 0},
      {"24:00:00", 100, std::nullopt},
      {"17:60", 100, std::nullopt},
      {"7:28:55", 100, std::nullopt},
      {"17:28:5", 100, std::nullopt},
      {"17:28:55:00", 100, std::nullopt},
      {"17:", 100, std::nullopt},
      {"17", 100, std::nullopt},
  };
  for (const auto& row : rows) {
    auto seconds = ParseWhen(row.text, kStart, row.now_s);
    ASSERT_EQ(seconds.has_value(), row.seconds.has_value()) << row.text;
    EXPECT_NEAR(seconds.value_or(0), row.seconds.value_or(0), 0.001)
        << row.text;
  }
}

}  // namespace
}  // namespace glasstty::view

#include "motion/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "absl/strings/str_format.h"

namespace glasstty::motion {
namespace {

struct ProgressRow {
  const char* text;
  double value;
  double total;  // 0: none
};

class ProgressTable : public ::testing::TestWithParam<ProgressRow> {};

TEST_P(ProgressTable, IsRead) {
  const ProgressRow& row = GetParam();
  std::vector<Reading> readings = ReadAllProgress(row.text);
  bool is_read = std::ranges::any_of(readings, [&row](const Reading& reading) {
    return std::abs(reading.value - row.value) <= 1e-6 * row.value &&
           std::abs(reading.total.value_or(0) - row.total) <= 1e-6 * row.total;
  });
  EXPECT_TRUE(is_read) << row.text;
}

constexpr ProgressRow kProgressRows[] = {
    {"[120/500] CC a.o", 120, 500},
    {"Epoch 3/10 - loss: 0.5", 3, 10},
    {"step 1,200 of 40,000", 1200, 40000},
    {"Downloading  45% |###", 45, 100},
    {"[ 33%] Building CXX object a.o", 33, 100},
    {"45%[====>      ] 1,234,567  1.2MB/s  eta 3s", 45, 100},
    {" 45%|####      | 450/1000 [00:12<00:15]", 450, 1000},
    {"1.0GiB 0:00:10 [120MiB/s]", 1073741824.0, 0},
    {"     32.77M  50%   10.00MB/s    0:00:03", 50, 100},
    {"12.5/50.0 MB 3.2 MB/s eta 0:00:12", 12.5e6, 50e6},
    {"1048576 bytes (1.0 MB, 1.0 MiB) copied, 1 s", 1048576, 0},
};
INSTANTIATE_TEST_SUITE_P(All, ProgressTable,
                         ::testing::ValuesIn(kProgressRows));

TEST(Progress, IsNotReadWhereThereIsNone) {
  for (const char* text :
       {"", "27/11/2026 is a date", "src/1/2/3.c", "v1.2.3", "12:30:01",
        "listening on port 8080", "5/3", "libfoo-1.2/3", "accuracy: 91.2%",
        "val_acc=87%", "coverage: 80% of statements"}) {
    for (const Reading& reading : ReadAllProgress(text)) {
      EXPECT_EQ(reading.form, Reading::Form::kCount) << text;
    }
  }
}

TEST(Progress, NumbersAreReadAsPeopleWriteThem) {
  EXPECT_EQ(ReadNumber("1,204"), 1204);
  EXPECT_EQ(ReadNumber("-0.5"), -0.5);
  EXPECT_EQ(ReadNumber("3e-4"), 3e-4);
  EXPECT_EQ(ReadNumber("2KiB"), 2048);
  EXPECT_EQ(ReadNumber(".25"), 0.25);
  EXPECT_FALSE(ReadNumber("nan"));
  EXPECT_FALSE(ReadNumber(""));
}

TEST(Progress, ASteadySeriesHasRateAndEndWithinTenPercent) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(-0.3, 0.3);
  Series series;
  for (int i = 0; i <= 300; ++i) {
    series.Add(i + noise(random), std::floor(i * 0.2), 100);
  }
  Series::Estimate now = series.EstimateAt(300);
  ASSERT_TRUE(now.rate && now.end_s);
  EXPECT_NEAR(*now.rate, 0.2, 0.02);
  EXPECT_NEAR(*now.end_s - 300, 200, 20);
  EXPECT_EQ(now.first, 0);
  EXPECT_EQ(now.value, 60);
}

TEST(Progress, ALongSeriesIsBoundedAndFollowsTheRateOfNow) {
  Series series;
  double value = 0;
  for (int i = 0; i < 100'000; ++i) {
    value += i < 50'000 ? 1 : 3;
    series.Add(i, value, 1e6);
  }
  Series::Estimate now = series.EstimateAt(100'000);
  ASSERT_TRUE(now.rate);
  EXPECT_NEAR(*now.rate, 3, 0.3);
}

TEST(Progress, ThereIsNoEstimateWhereNothingIsSteady) {
  Series few;
  few.Add(0, 1, 10);
  few.Add(5, 2, 10);
  EXPECT_FALSE(few.EstimateAt(6).rate);
  Series wild;
  std::mt19937 random(7);
  for (int i = 0; i < 100; ++i) wild.Add(i, random() % 100 + 1.0, 100);
  EXPECT_FALSE(wild.EstimateAt(100).rate);
}

TEST(Progress, ASeriesThatStandsSaysSinceWhen) {
  Series series;
  for (int i = 0; i <= 50; ++i) series.Add(i, i, 100);
  EXPECT_EQ(Describe(series, Reading::Form::kPercent, 50),
            "50 % (+1 %/s, end in 50 s)");
  for (int i = 51; i <= 150; ++i) series.Add(i, 50, 100);
  EXPECT_FALSE(series.EstimateAt(150).rate);
  EXPECT_EQ(Describe(series, Reading::Form::kPercent, 150),
            "50 % (unchanged for 100 s)");
}

TEST(Progress, ASecondRunBeginsTheSeriesAnew) {
  Series series;
  for (int i = 0; i <= 50; ++i) series.Add(i, i * 2, 100);
  for (int i = 51; i <= 60; ++i) series.Add(i, i - 51, 100);
  Series::Estimate now = series.EstimateAt(60);
  EXPECT_EQ(now.first_s, 51);
  ASSERT_TRUE(now.rate);
  EXPECT_NEAR(*now.rate, 1, 0.1);
}

TEST(Progress, DurationsAreInTheUnitThatFits) {
  EXPECT_EQ(DurationText(1.25), "1.2 s");
  EXPECT_EQ(DurationText(45), "45 s");
  EXPECT_EQ(DurationText(600), "10 min");
  EXPECT_EQ(DurationText(11'100), "3 h 5 min");
}

}  // namespace
}  // namespace glasstty::motion

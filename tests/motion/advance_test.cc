#include "motion/advance.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <fstream>
#include <string>
#include <vector>

#include "motion/line_tally.h"
#include "motion/progress.h"
#include "testing/source_tree.h"

namespace glasstty::motion {
namespace {

using Sight = Advance::Sight;

// A tool's status row, early and late.
struct Job {
  std::string tool, told, first, last;
};

std::vector<Job> ReadJobs() {
  std::ifstream file(SourcePath("fixtures/motion/progress.rows"));
  std::vector<Job> jobs;
  for (std::string line; std::getline(file, line);) {
    size_t colon = line.find(": ");
    if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
    Job job{line.substr(0, colon), line.substr(colon + 2), "", ""};
    std::getline(file, job.first);
    std::getline(file, job.last);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

// Returns how the digest tells the job: "10 % to 99 %", or "-".
std::string Told(const Job& job) {
  LineTally tally;
  tally.AddOverwritten(job.first, 0);
  tally.AddOverwritten(job.last, 1);
  tally.AddOverwritten(job.last, 2);
  auto found = tally.FindProgress();
  if (found.empty()) return "-";
  return ValueText(found[0]->first, found[0]->form) + " to " +
         ValueText(found[0]->series.value(), found[0]->form);
}

TEST(Advance, EveryToolThatPrintsAFigureGoesOnAndStopsAndIsTold) {
  std::vector<Job> jobs = ReadJobs();
  ASSERT_GT(jobs.size(), 50u);
  for (const Job& job : jobs) {
    Advance advance;
    EXPECT_EQ(advance.TakeRow(3, job.first), Sight::kNew) << job.tool;
    EXPECT_NE(advance.TakeRow(3, job.last), Sight::kSame) << job.tool;
    EXPECT_EQ(advance.TakeRow(3, job.last), Sight::kSame) << job.tool;
    EXPECT_EQ(Told(job), job.told) << job.tool;
  }
}

TEST(Advance, WhatMerelyTicksDoesNotGoOn) {
  Advance advance;
  const char* spinner = "|/-\\";
  for (int i = 0; i < 300; ++i) {
    std::string tick = std::to_string(i);
    std::string stuck = std::string(1, spinner[i % 4]) + " Copying 45% " +
                        std::to_string(10 + i * 7 % 80) + ".5 MB/s, " +
                        std::to_string(300 - i) + " KiB/s, " + tick +
                        "s, ETA " + tick + ", speed=" + tick +
                        "x, fps= " + tick;
    Sight sight = advance.TakeRow(0, stuck);
    EXPECT_EQ(sight == Sight::kSame, i > 0) << i;
    sight = advance.TakeRow(1, "Still creating... [" + tick + "s elapsed]");
    EXPECT_EQ(sight == Sight::kSame, i > 0) << i;
  }
}

TEST(Advance, OneOfSeveralBarsThatLookAlikeGoesOnAlone) {
  Advance advance;
  for (int i = 0; i < 4; ++i) {
    advance.TakeRow(i, "layer: Downloading 9" + std::to_string(i) + "/100");
  }
  advance.TakeRow(1, "layer: Downloading 10/100");
  EXPECT_EQ(advance.TakeRow(2, "layer: Downloading 93/100"), Sight::kFurther);
  EXPECT_EQ(advance.TakeRow(2, "layer: Downloading 93/100"), Sight::kSame);
}

TEST(Advance, ABarThatIsFilledAgainGoesOnButTwoThatStandDoNot) {
  Advance advance;
  for (int i = 0; i <= 195; i += 5) {
    advance.TakeRow(0, "batch: " + std::to_string(i) + "/200");
  }
  EXPECT_EQ(advance.TakeRow(0, "batch: 0/200"), Sight::kSame);
  for (int i = 5; i < 200; i += 5) {
    std::string row = "batch: " + std::to_string(i) + "/200";
    EXPECT_EQ(advance.TakeRow(0, row), Sight::kFurther) << i;
  }
  advance.TakeRow(1, "batch: 3/200");
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(advance.TakeRow(0, "batch: 195/200"), Sight::kSame);
    EXPECT_EQ(advance.TakeRow(1, "batch: 3/200"), Sight::kSame);
  }
}

TEST(Advance, ACounterMayCountDownAndABarMayGrow) {
  Advance advance;
  advance.TakeRow(0, "waiting for 12 pods");
  EXPECT_EQ(advance.TakeRow(0, "waiting for 11 pods"), Sight::kFurther);
  EXPECT_EQ(advance.TakeRow(0, "waiting for 12 pods"), Sight::kSame);
  advance.TakeRow(1, "t/a.py .....");
  EXPECT_EQ(advance.TakeRow(1, "t/a.py ......"), Sight::kFurther);
}

// With the C++ library of gcc, both lines have the same key.
TEST(Advance, ARowWithMoreNumbersThanAnotherOneOfItsKeyIsNew) {
  std::string numbers;
  for (int i = 0; i < 50; ++i) numbers += "1 ";
  Advance advance;
  EXPECT_EQ(advance.TakeRow(0, "djlkrcfroNd\"TN)Z"), Sight::kNew);
  EXPECT_EQ(advance.TakeRow(0, numbers + "1 xyz"), Sight::kNew);
  EXPECT_EQ(advance.TakeRow(0, numbers + "1 xyz"), Sight::kSame);
}

TEST(Advance, ALineOfNumbersThatGrowsTakesLittleMemory) {
  Advance advance;
  std::string row;
  auto before = mallinfo2();
  for (int i = 0; i < 20; ++i) {
    for (int number = 0; number < 10'000; ++number) row += "1 ";
    advance.TakeRow(0, row);
  }
  auto after = mallinfo2();
  EXPECT_LT(after.uordblks + after.hblkhd,
            before.uordblks + before.hblkhd + 10'000'000);
}

TEST(Advance, ALineGoesOnWithAnotherNumberButNotWithAnotherTime) {
  Advance advance;
  EXPECT_TRUE(advance.TakeLine("step 1"));
  EXPECT_TRUE(advance.TakeLine("step 2"));
  EXPECT_FALSE(advance.TakeLine("step 2"));
  EXPECT_TRUE(advance.TakeLine("idle for 10s at 3 KB/s"));
  EXPECT_FALSE(advance.TakeLine("idle for 20s at 4 KB/s"));
}

}  // namespace
}  // namespace glasstty::motion

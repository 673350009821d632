#include "motion/weight.h"

#include <gtest/gtest.h>

namespace glasstty::motion {
namespace {

struct WeightRow {
  Weight weight;
  const char* line;
};

class WeightTable : public ::testing::TestWithParam<WeightRow> {};

TEST_P(WeightTable, IsThatOfTheHeaviestWord) {
  EXPECT_EQ(WeightOf(GetParam().line), GetParam().weight) << GetParam().line;
}

constexpr WeightRow kWeightRows[] = {
    {Weight::kFailure, "main.c:3:5: error: unknown type name 'in'"},
    {Weight::kFailure, "error[E0308]: mismatched types"},
    {Weight::kFailure, "npm ERR! code ENOENT"},
    {Weight::kFailure, "ValueError: invalid literal for int()"},
    {Weight::kFailure, "Traceback (most recent call last):"},
    {Weight::kFailure, "make: *** [Makefile:2: all] Error 2"},
    {Weight::kFailure, "bash: htpo: command not found"},
    {Weight::kFailure, "cp: cannot stat 'a': No such file or directory"},
    {Weight::kFailure, "Segmentation fault (core dumped)"},
    {Weight::kFailure, "web-7f9c  0/1  CrashLoopBackOff  3  2m"},
    {Weight::kFailure, "tests/test_a.py ..F...            [ 12%]"},
    {Weight::kFailure, "3 passed, 1 failed in 0.12s"},
    {Weight::kFailure, "Connection refused"},
    {Weight::kFailure, "Fail:               1"},
    {Weight::kFailure, "epoch 12 loss=nan"},
    {Weight::kFailure, "epoch 12 loss=inf"},
    {Weight::kFailure, "epoch 12 loss: -inf acc: 0.1"},
    {Weight::kFailure, "\"GET /a HTTP/1.1\" 500 17"},
    {Weight::kFailure, "web-7f9c  0/1  Evicted  0  2m"},
    {Weight::kWarning, "warning: unused variable 'x'"},
    {Weight::kWarning, "WARN deprecated package"},
    {Weight::kQuestion, "Do you want to continue? [Y/n] "},
    {Weight::kQuestion, "Password:"},
    {Weight::kEnd, "Build finished in 12 s"},
    {Weight::kEnd, "12 passed, 0 failed"},
    // A denial or a part of a name weighs nothing.
    {Weight::kNone, "0 errors, no warnings"},
    {Weight::kNone, "errors: 0  failed=0"},
    {Weight::kNone, "Expected Fail:      0"},
    {Weight::kNone, "[12/500] CC src/error.c"},
    {Weight::kNone, "Compiling thiserror v1.0.2"},
    {Weight::kNone, "cc -Werror -c test_errors.c"},
    {Weight::kNone, "Unpacking libgpg-error0 (1.46-1)"},
    {Weight::kNone, "tests/test_b.py ......            [ 24%]"},
    {Weight::kNone, "Downloading 45%"},
    {Weight::kNone, "45% ETA: inf"},
    {Weight::kNone, "level=info msg=started"},
    {Weight::kNone, "\"GET /a HTTP/1.1\" 200 500"},
    {Weight::kNone, "cache: 120 hits, 1 evicted"},
    {Weight::kNone, ""},
};

INSTANTIATE_TEST_SUITE_P(All, WeightTable, ::testing::ValuesIn(kWeightRows));

TEST(Weight, WhatStillGoesOnSaysNoMore) {
  for (const char* line :
       {"db: Still creating... [10s elapsed]", "still waiting for the lock",
        "worker-1 heartbeat", "module.db: Destroying... (1m10s elapsed)"}) {
    EXPECT_TRUE(SaysItGoesOn(line)) << line;
  }
  for (const char* line :
       {"db: Creating...", "2 tests are still red", "distill running",
        "still waiting: connection refused"}) {
    EXPECT_FALSE(SaysItGoesOn(line)) << line;
  }
}

}  // namespace
}  // namespace glasstty::motion

// Tests lines on stderr: each event has one line, by category.
#include "support/log.h"

#include <gtest/gtest.h>

#include <string>

#include "support/check.h"

namespace glasstty {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

TEST(Log, WarningsAreOneEscapedLine) {
  CaptureStderr();
  Warn("odd: %s", "a\nb\x1b[31m");
  EXPECT_EQ(GetCapturedStderr(), "glasstty: warning: odd: a\\nb\\e[31m\n");
}

TEST(Log, TracesAppearOnlyWhenTheirCategoryIsOn) {
  CaptureStderr();
  Trace(LogCategory::kRpc, "%d: hidden", 1);
  InitLog("wait");
  Trace(LogCategory::kRpc, "%d: hidden", 1);
  Trace(LogCategory::kWait, "%d: shown", 2);
  EXPECT_EQ(GetCapturedStderr(), "wait 2: shown\n");
  EXPECT_TRUE(LogEnabled(LogCategory::kWait));
  EXPECT_FALSE(LogEnabled(LogCategory::kRpc));
}

TEST(Log, AnUnknownCategoryIsWarnedAboutOnceWithTheKnownOnes) {
  CaptureStderr();
  InitLog("wiat");
  InitLog("wiat");
  EXPECT_EQ(GetCapturedStderr(),
            "glasstty: warning: GLASSTTY_LOG: no category 'wiat' (there are: "
            "all, rpc, holder, wait, feed, session)\n");
}

TEST(CheckDeathTest, SaysWhereAndWhat) {
  EXPECT_DEATH(CHECK(1 + 1 == 3), "log_test.cc:[0-9]+: CHECK failed: 1 . 1");
}

}  // namespace
}  // namespace glasstty

// The server reads what a client hands over.
#include "tools/handed_over.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "wire/introduction.h"

namespace glasstty {
namespace {

Json Introduced(const std::string& line) {
  return (*ParseJson(line))["params"];
}

TEST(HandedOver, IsAllThatAChildWouldInherit) {
  setenv("GLASSTTY_ODD", "\xff\xfe\n\"\\", 1);
  mode_t before = umask(027);
  std::string line = wire::OwnIntroductionLine("shell");
  umask(before);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  Json params = Introduced(line);
  EXPECT_EQ(params["name"], "shell");
  auto inherited = ReadInheritance(&params);
  ASSERT_NE(inherited, nullptr);
  EXPECT_EQ(inherited->umask, 027u);
  size_t count = 0;
  for (char** entry = environ; *entry != nullptr; ++entry) ++count;
  EXPECT_EQ(inherited->environment.size(), count);
  EXPECT_TRUE(
      std::find(inherited->environment.begin(), inherited->environment.end(),
                "GLASSTTY_ODD=\xff\xfe\n\"\\") != inherited->environment.end());
  rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  ASSERT_GT(inherited->limits.size(), size_t{RLIMIT_NOFILE});
  EXPECT_EQ(inherited->limits[RLIMIT_NOFILE].rlim_cur, files.rlim_cur);
  EXPECT_EQ(inherited->limits[RLIMIT_NOFILE].rlim_max, files.rlim_max);
}

TEST(HandedOver, IsNothingForAClientElsewhere) {
  Json params = Introduced(wire::IntroductionLine("/home/me", "web"));
  EXPECT_EQ(params["directory"], "/home/me");
  EXPECT_EQ(ReadInheritance(&params), nullptr);
  EXPECT_EQ(ReadInheritance(nullptr), nullptr);
}

TEST(HandedOver, IsNothingForAHookWhichNamesItsAncestors) {
  Json params = Introduced(wire::BriefIntroductionLine("hook"));
  EXPECT_EQ(ReadInheritance(&params), nullptr);
  ASSERT_GE(params["ancestors"].size(), 2u);
  EXPECT_EQ(params["ancestors"][0], getppid());
  EXPECT_EQ(params["parent"], getppid());
  EXPECT_EQ(params["ancestors"],
            Introduced(wire::OwnIntroductionLine("shell"))["ancestors"]);
}

TEST(HandedOver, IsIgnoredWhereItCannotBeRead) {
  Json params = {{"env", "***"}};
  EXPECT_EQ(ReadInheritance(&params), nullptr);
  params = {{"env", "QT1iAA=="}, {"umask", "x"}, {"limits", {1, {2}}}};
  auto inherited = ReadInheritance(&params);
  ASSERT_NE(inherited, nullptr);
  EXPECT_EQ(inherited->environment, std::vector<std::string>{"A=b"});
  EXPECT_FALSE(inherited->umask);
  EXPECT_TRUE(inherited->limits.empty());
}

TEST(HandedOver, AHugeEnvironmentIsNot) {
  std::string half(wire::kMostEnvironment / 2, 'x');
  setenv("GLASSTTY_HALF", half.c_str(), 1);
  setenv("GLASSTTY_OTHER_HALF", half.c_str(), 1);
  testing::internal::CaptureStderr();
  Json params = Introduced(wire::OwnIntroductionLine(""));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("more than"),
            std::string::npos);
  unsetenv("GLASSTTY_OTHER_HALF");
  EXPECT_EQ(ReadInheritance(&params), nullptr);
  params = Introduced(wire::OwnIntroductionLine(""));
  EXPECT_NE(ReadInheritance(&params), nullptr);
  unsetenv("GLASSTTY_HALF");
}

}  // namespace
}  // namespace glasstty

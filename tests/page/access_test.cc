#include "page/access.h"

#include <gtest/gtest.h>

namespace glasstty::page {
namespace {

TEST(Access, ALinkLetsOneVisitorInOnce) {
  Access access;
  std::string link = access.NewLink();
  std::string cookie = access.Enter(link);
  EXPECT_TRUE(access.Admits(cookie));
  EXPECT_EQ(access.Enter(link), "");
  // The others are not affected.
  std::string other = access.Enter(access.NewLink());
  EXPECT_NE(other, cookie);
  EXPECT_TRUE(access.Admits(other));
  EXPECT_TRUE(access.Admits(cookie));
}

TEST(Access, ALinkIsNoCookieAndNothingIsNoGuess) {
  Access access;
  std::string link = access.NewLink();
  EXPECT_FALSE(access.Admits(link));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(access.Admits(""));
  EXPECT_FALSE(access.guessed());
}

TEST(Access, WhoeverGuessesEndsIt) {
  Access access;
  std::string link = access.NewLink();
  for (int i = 0; i + 1 < Access::kMostWrong; ++i) access.Enter("0123");
  EXPECT_FALSE(access.guessed());
  EXPECT_FALSE(access.Admits("0123"));
  EXPECT_TRUE(access.guessed());
}

TEST(Access, OldLinksThatNobodyOpenedMakeRoom) {
  Access access;
  std::string first = access.NewLink();
  std::string last;
  for (size_t i = 0; i < Access::kMostLinks; ++i) last = access.NewLink();
  EXPECT_EQ(access.Enter(first), "");
  EXPECT_NE(access.Enter(last), "");
}

}  // namespace
}  // namespace glasstty::page

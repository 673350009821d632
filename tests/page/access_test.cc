#include "page/access.h"

#include <gtest/gtest.h>

namespace glasstty::page {
namespace {

TEST(Access, ALinkLetsOneVisitorInOnce) {
  Access access;
  std::string link = access.NewLink();
  auto pass = access.Enter(link);
  ASSERT_TRUE(pass);
  ASSERT_NE(access.Find(pass->key), nullptr);
  EXPECT_EQ(access.Find(pass->key)->proof, pass->proof);
  EXPECT_FALSE(access.Enter(link));
  // The others are not affected.
  auto other = access.Enter(access.NewLink());
  ASSERT_TRUE(other);
  EXPECT_NE(other->key, pass->key);
  EXPECT_NE(access.Find(other->key), nullptr);
  EXPECT_NE(access.Find(pass->key), nullptr);
}

TEST(Access, NoOtherSecretIsAKey) {
  Access access;
  std::string link = access.NewLink();
  EXPECT_EQ(access.Find(link), nullptr);
  EXPECT_EQ(access.Find(""), nullptr);
  auto pass = access.Enter(link);
  ASSERT_TRUE(pass);
  EXPECT_NE(pass->proof, pass->key);
  EXPECT_EQ(access.Find(pass->proof), nullptr);
  EXPECT_EQ(access.Find(link), nullptr);
}

TEST(Access, GuessingChangesNothing) {
  Access access;
  std::string link = access.NewLink();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(access.Enter(std::string(link.size(), '0')));
    EXPECT_EQ(access.Find(std::string(link.size(), '0')), nullptr);
  }
  EXPECT_TRUE(access.Enter(link));
}

TEST(Access, OldLinksThatNobodyOpenedMakeRoom) {
  Access access;
  std::string first = access.NewLink();
  std::string last;
  for (size_t i = 0; i < Access::kMostLinks; ++i) last = access.NewLink();
  EXPECT_FALSE(access.Enter(first));
  EXPECT_TRUE(access.Enter(last));
}

}  // namespace
}  // namespace glasstty::page

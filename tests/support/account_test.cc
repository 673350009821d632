#include "support/account.h"

#include <gtest/gtest.h>

namespace glasstty {
namespace {

TEST(Account, IsFoundByItsNumberAndByItsName) {
  std::optional<Account> by_number = FindAccount(uid_t{0});
  ASSERT_TRUE(by_number.has_value());
  EXPECT_EQ(by_number->home, "/root");
  std::optional<Account> by_name = FindAccount("root");
  ASSERT_TRUE(by_name.has_value());
  EXPECT_EQ(by_name->home, by_number->home);
  EXPECT_EQ(by_name->shell, by_number->shell);
}

TEST(Account, ThatNobodyHasIsNotFound) {
  EXPECT_FALSE(FindAccount("no such name").has_value());
  EXPECT_FALSE(FindAccount("roo").has_value());
  EXPECT_FALSE(FindAccount("").has_value());
  EXPECT_FALSE(FindAccount(uid_t{4'123'456'789}).has_value());
}

}  // namespace
}  // namespace glasstty

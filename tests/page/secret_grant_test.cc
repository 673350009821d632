#include "page/secret_grant.h"

#include <gtest/gtest.h>

namespace glasstty::page {
namespace {

constexpr Time kStart{};
constexpr Duration kMoment = std::chrono::seconds(1);

TEST(SecretGrant, LetsOneVisitorInOnce) {
  SecretGrant grant(kStart);
  EXPECT_FALSE(grant.MayType(kStart)) << "nobody has entered";
  auto pass = grant.Enter(grant.token(), kStart + kMoment);
  ASSERT_TRUE(pass);
  ASSERT_NE(grant.Find(pass->key), nullptr);
  EXPECT_EQ(grant.Find(pass->key)->proof, pass->proof);
  EXPECT_TRUE(grant.MayType(kStart + kMoment));
  EXPECT_FALSE(grant.Enter(grant.token(), kStart + kMoment));
  EXPECT_NE(grant.Find(pass->key), nullptr);
}

TEST(SecretGrant, NoOtherTextIsATokenOrAKey) {
  SecretGrant grant(kStart);
  EXPECT_FALSE(grant.Enter("", kStart));
  EXPECT_FALSE(grant.Enter(std::string(grant.token().size(), '0'), kStart));
  EXPECT_EQ(grant.Find(""), nullptr);
  auto pass = grant.Enter(grant.token(), kStart);
  ASSERT_TRUE(pass) << "guessing changes nothing";
  for (const std::string& text :
       {std::string(), grant.token(), pass->proof, pass->key + "0"}) {
    EXPECT_EQ(grant.Find(text), nullptr);
  }
}

TEST(SecretGrant, IsForOneSecret) {
  SecretGrant grant(kStart);
  auto pass = grant.Enter(grant.token(), kStart);
  grant.Typed();
  EXPECT_FALSE(grant.MayType(kStart));
  EXPECT_NE(grant.Find(pass->key), nullptr) << "the page is told the end";
  grant.Left();
  EXPECT_EQ(grant.life(), SecretGrant::Life::kTyped);
}

TEST(SecretGrant, EndsWhenTheProgramNoLongerAsks) {
  SecretGrant unused(kStart), entered(kStart);
  unused.Left();
  EXPECT_FALSE(unused.Enter(unused.token(), kStart));
  entered.Enter(entered.token(), kStart);
  entered.Left();
  EXPECT_FALSE(entered.MayType(kStart));
}

TEST(SecretGrant, EndsAfterTenMinutes) {
  Time last = kStart + std::chrono::minutes(10) - kMoment;
  SecretGrant unused(kStart), entered(kStart);
  ASSERT_TRUE(entered.Enter(entered.token(), last));
  EXPECT_TRUE(entered.MayType(last));
  EXPECT_FALSE(entered.MayType(last + kMoment));
  EXPECT_FALSE(unused.Enter(unused.token(), last + kMoment));
}

}  // namespace
}  // namespace glasstty::page

// Tests what the line below a person's window says where it has little room.
#include "attach/status_text.h"

#include <gtest/gtest.h>

namespace glasstty::attach {
namespace {

TEST(StatusText, TheFirstThatFitsIsTheLongestIfTheyAreInThatOrder) {
  EXPECT_EQ(FirstThatFits(10, {"1234567890", "12"}), "1234567890");
  EXPECT_EQ(FirstThatFits(9, {"1234567890", "12"}), "12");
  EXPECT_EQ(FirstThatFits(1, {"1234567890", "12"}), "12");
  EXPECT_EQ(FirstThatFits(5, {"日本語", "日本"}), "日本");
  EXPECT_EQ(FirstThatFits(5, {}), "");
}

TEST(StatusText, ALongNameIsCutToAThirdOfTheWindow) {
  EXPECT_EQ(ShortName("build", 80), "build");
  EXPECT_EQ(ShortName("deploy-of-the-whole-shop", 80),
            "deploy-of-the-whole-shop");
  EXPECT_EQ(ShortName("deploy-of-the-whole-shop", 40), "deploy-of-th…");
  EXPECT_EQ(ShortName("deploy-of-the-whole-shop", 10), "deploy-…");
}

TEST(StatusText, OfALongTypedLineTheEndIsShown) {
  EXPECT_EQ(TypedLine(12, "/", "short"), "/short");
  EXPECT_EQ(TypedLine(12, "/", "0123456789"), "/0123456789");
  EXPECT_EQ(TypedLine(12, "/", "0123456789ab"), "/23456789ab");
  EXPECT_EQ(TypedLine(8, "secret: ", "***"), "secret: *");
}

}  // namespace
}  // namespace glasstty::attach

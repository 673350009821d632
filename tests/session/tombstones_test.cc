#include "session/tombstones.h"

#include <gtest/gtest.h>

#include <string>

namespace glasstty::session {
namespace {

TEST(Tombstones, TellTheFateOfANameUntilItIsUsedAgain) {
  Tombstones stones;
  stones.Put("a", "was closed");
  EXPECT_EQ(stones.Of("a"), "was closed");
  EXPECT_EQ(stones.Of("b"), "");
  stones.Put("a", "exited");
  EXPECT_EQ(stones.Of("a"), "exited");
  EXPECT_EQ(stones.all().size(), 1u);
  stones.Remove("a");
  EXPECT_EQ(stones.Of("a"), "");
}

TEST(Tombstones, TheLastHundredStand) {
  Tombstones stones;
  for (int i = 1; i <= 100; ++i) stones.Put("s" + std::to_string(i), "x");
  EXPECT_EQ(stones.Of("s1"), "x");
  stones.Put("s101", "x");
  EXPECT_EQ(stones.Of("s1"), "");
  EXPECT_EQ(stones.Of("s2"), "x");
}

}  // namespace
}  // namespace glasstty::session

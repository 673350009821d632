// Tests what a person is told in a window with little room: hints are whole,
// and the way out is among them.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "e2e/desk.h"
#include "e2e/steps.h"

namespace glasstty::testing {
namespace {

constexpr char kLongName[] = "deploy-of-the-whole-shop";

class SmallWindows : public ::testing::Test {
 protected:
  void OpenLong(const std::string& command) {
    ASSERT_TRUE(Good(Open(&client_, kLongName, {"bash", "-c", command})));
  }
  void Sit(const std::vector<std::string>& arguments, terminal::Size size) {
    desk_ = std::make_unique<Desk>(client_.state_dir(), arguments, size);
  }

  McpClient client_;
  std::unique_ptr<Desk> desk_;
};

TEST_F(SmallWindows, ALongNameLeavesRoomForTheHints) {
  OpenLong("read -sp 'Password: ' p; cat");
  Sit({"attach", kLongName}, {25, 80});
  EXPECT_TRUE(desk_->Sees("deploy-of-the-whole-shop  secret  C-\\ k types it"));
  EXPECT_TRUE(desk_->SeesNo("takes the keyb"));
  Sit({"attach", kLongName}, {12, 40});
  EXPECT_TRUE(desk_->Sees("deploy-of-th…  secret  C-\\ k types it"));
  ASSERT_TRUE(desk_->TypeAndSee("\x1ck", "secret:"));
  // Whoever types sees that they do, however long the secret is.
  desk_->Type("a");
  EXPECT_TRUE(desk_->Sees("secret: *"));
  EXPECT_TRUE(desk_->SeesNo("**"));
  desk_->Type("b");
  EXPECT_TRUE(desk_->Sees("secret: **"));
}

TEST_F(SmallWindows, AListKeepsMoreOfANameThanOfTheRest) {
  OpenLong("read -sp 'Password: ' p; cat");
  Sit({"ls"}, {12, 40});
  EXPECT_TRUE(desk_->Sees("deploy-of-t…  secret"));
  EXPECT_TRUE(desk_->Sees("agent"));
}

TEST_F(SmallWindows, OfALongSearchTheEndIsShown) {
  OpenLong("cat");
  Sit({"attach", kLongName}, {12, 40});
  ASSERT_TRUE(desk_->Sees("Enter types"));
  desk_->Type("/0123456789012345678901234567890123456789end");
  EXPECT_TRUE(desk_->Sees("789end"));
}

TEST_F(SmallWindows, InThePastTheWayBackIsNamed) {
  OpenLong("seq 50; cat");
  Sit({"attach", kLongName}, {12, 40});
  ASSERT_TRUE(desk_->Sees("Enter types"));
  desk_->Type("\x1b[5~");
  EXPECT_TRUE(desk_->Sees("q back to now"));
  desk_->Type("q");
  EXPECT_TRUE(desk_->Sees("Enter types"));
  desk_->Type("x");
  EXPECT_TRUE(desk_->Sees("[Enter types, C-\\ d leaves]"));
}

TEST_F(SmallWindows, APasteThatWaitsNamesItsKey) {
  OpenLong("cat");
  Sit({"attach", "--take", kLongName}, {12, 40});
  ASSERT_TRUE(desk_->Sees("you type"));
  desk_->Type("\x1b[200~one\ntwo\n\x1b[201~");
  EXPECT_TRUE(desk_->Sees("3 lines would run: C-\\ p types them"));
}

TEST_F(SmallWindows, APlayerWithoutRoomForTheNameHasItsKeys) {
  OpenLong("seq 3; cat");
  Sit({"play", kLongName}, {25, 80});
  EXPECT_TRUE(desk_->Sees("+ - speed  q quits  ? keys"));
}

// A search begins at the end of the window, not at the first line in it.
TEST_F(SmallWindows, ASearchFindsWhatIsInTheWindow) {
  OpenLong("seq 40; cat");
  Sit({"attach", kLongName}, {12, 80});
  ASSERT_TRUE(desk_->Sees("40"));
  ASSERT_TRUE(desk_->TypeAndSee("\x1b[1~", "line 1 of"));
  desk_->Type("/^7$\r");
  EXPECT_TRUE(desk_->Sees("line 7 of"));
  // The next one is older.
  desk_->Type("/^5$\r");
  EXPECT_TRUE(desk_->Sees("line 5 of"));
  desk_->Type("n");
  EXPECT_TRUE(desk_->Sees("not found"));
}

TEST_F(SmallWindows, TheListOfKeysNamesThoseOfWatchingWhereThereIsRoom) {
  OpenLong("cat");
  Sit({"attach", kLongName}, {24, 80});
  ASSERT_TRUE(desk_->Sees("Enter t"));
  desk_->Type("?");
  EXPECT_TRUE(desk_->Sees("Enter   take the keyboard"));
  EXPECT_TRUE(desk_->Sees("arrows  move over a larger screen"));
  ASSERT_TRUE(desk_->TypeAndSee(" \r", "you type"));
  ASSERT_TRUE(desk_->TypeAndSee("\x1c?", "arrows  move over a larger screen"));
  EXPECT_TRUE(desk_->SeesNo("While you watch"));
  Sit({"attach", "-r", kLongName}, {24, 80});
  ASSERT_TRUE(desk_->Sees("watching (-r)"));
  ASSERT_TRUE(desk_->TypeAndSee("?", "While you watch"));
  EXPECT_TRUE(desk_->SeesNo("take the keyboard"));
}

}  // namespace
}  // namespace glasstty::testing

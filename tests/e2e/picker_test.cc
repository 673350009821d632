// `glasstty attach` finds the session that is meant: the only one, by the
// beginning of its name, or chosen from a list.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <memory>
#include <string>
#include <vector>

#include "e2e/desk.h"
#include "e2e/steps.h"

namespace glasstty::testing {
namespace {

constexpr char kAttached[] = "Enter takes the keyboard";

class Picker : public ::testing::Test {
 protected:
  void OpenCat(const std::string& name) {
    // The filter matches directories, too.
    ASSERT_TRUE(Good(Open(&client_, name, {"cat"}, {{"cwd", "/"}})));
    ASSERT_TRUE(Good(Keys(&client_, name, "this is " + name + "<Enter>")));
  }
  void OpenThree() {
    for (const char* name : {"build", "bench", "jobs"}) OpenCat(name);
  }
  void Attach(std::vector<std::string> arguments = {},
              terminal::Size size = {25, 80}) {
    arguments.insert(arguments.begin(), "attach");
    desk_ = std::make_unique<Desk>(client_.state_dir(), arguments, size);
  }
  CommandResult Refused(std::vector<std::string> arguments) {
    Attach(std::move(arguments));
    auto status = desk_->AwaitEnd();
    EXPECT_TRUE(status.has_value());
    return {status.value_or(-1), Join(desk_->Rows())};
  }
  // Waits until this row is the chosen one.
  bool Chosen(const std::string& name) {
    return static_cast<bool>(desk_->Sees("> " + name));
  }
  void ExpectAttachedTo(const std::string& name) {
    EXPECT_TRUE(desk_->Sees(kAttached));
    EXPECT_TRUE(desk_->Sees("this is " + name));
  }

  McpClient client_;
  std::unique_ptr<Desk> desk_;
};

TEST_F(Picker, TheOnlySessionIsTaken) {
  OpenCat("only");
  Attach();
  ExpectAttachedTo("only");
}

TEST_F(Picker, WithoutASessionItSaysHowToOpenOne) {
  CommandResult none = Refused({});
  EXPECT_EQ(WEXITSTATUS(none.status), 1);
  EXPECT_NE(none.output.find("glasstty new"), std::string::npos) << none.output;
}

TEST_F(Picker, TheBeginningOfANameIsEnough) {
  OpenThree();
  Attach({"bu"});
  ExpectAttachedTo("build");
  // A whole name is never ambiguous.
  OpenCat("b");
  Attach({"b"});
  ExpectAttachedTo("b");
}

TEST_F(Picker, AnAmbiguousBeginningNamesTheMatches) {
  OpenThree();
  CommandResult refused = Refused({"b"});
  EXPECT_EQ(WEXITSTATUS(refused.status), 1);
  EXPECT_NE(refused.output.find("'b' may be bench or build"), std::string::npos)
      << refused.output;
}

TEST_F(Picker, ArrowsAndLettersMoveAndEnterTakes) {
  OpenThree();
  Attach();
  ASSERT_TRUE(Chosen("bench"));
  desk_->Type("\x1b[B");
  ASSERT_TRUE(Chosen("build"));
  desk_->Type("j");
  ASSERT_TRUE(Chosen("jobs"));
  desk_->Type("k");
  ASSERT_TRUE(Chosen("build"));
  desk_->Type("\x1b[A");
  ASSERT_TRUE(Chosen("bench"));
  desk_->Type("\x1b[A");
  ASSERT_TRUE(Chosen("jobs"));
  desk_->Type("\r");
  ExpectAttachedTo("jobs");
}

TEST_F(Picker, OfTwoSessionsOfANameTheChosenOneIsTaken) {
  ServerOptions beside;
  beside.state_dir = client_.state_dir();
  McpClient other(beside);
  ASSERT_TRUE(Good(Open(&client_, "twin", {"sort"}, {{"cwd", "/"}})));
  ASSERT_TRUE(Good(Keys(&client_, "twin", "this is twin<Enter>")));
  ASSERT_TRUE(Good(Open(&other, "twin", {"tee"}, {{"cwd", "/"}})));
  Attach();
  ASSERT_TRUE(desk_->Sees("tee"));
  desk_->Type("sort");
  ASSERT_TRUE(desk_->SeesNo("tee"));
  desk_->Type("\r");
  ExpectAttachedTo("twin");
}

TEST_F(Picker, TypingNarrowsTheList) {
  OpenThree();
  Attach();
  ASSERT_TRUE(Chosen("bench"));
  desk_->Type("ui");
  ASSERT_TRUE(Chosen("build"));
  ASSERT_TRUE(desk_->SeesNo("bench"));
  ASSERT_TRUE(desk_->Sees("/ui"));
  ASSERT_TRUE(desk_->TypeAndSee("x", "nothing matches"));
  desk_->Type("\x1b");
  ASSERT_TRUE(Chosen("build"));
  // After a slash, j is a letter, too.
  desk_->Type("/j");
  ASSERT_TRUE(Chosen("jobs"));
  desk_->Type("\r");
  ExpectAttachedTo("jobs");
}

TEST_F(Picker, EscapeLeavesEverythingAsItWas) {
  OpenThree();
  for (const char* key : {"\x1b", "\x03"}) {
    Attach();
    ASSERT_TRUE(Chosen("bench"));
    desk_->Type(key);
    auto status = desk_->AwaitEnd();
    ASSERT_TRUE(status);
    EXPECT_EQ(WEXITSTATUS(*status), 1);
    EXPECT_TRUE(desk_->IsRestored());
  }
}

TEST_F(Picker, FitsASmallWindowAndOneThatChanges) {
  for (int i = 10; i < 30; ++i) OpenCat("session-" + std::to_string(i));
  Attach({}, {8, 40});
  ASSERT_TRUE(Chosen("session-10"));
  desk_->Type("\x1b[A");
  ASSERT_TRUE(Chosen("session-29"));
  desk_->SetSize({25, 100});
  ASSERT_TRUE(desk_->Sees("DIRECTORY"));
  ASSERT_TRUE(Chosen("session-29"));
  desk_->Type("\r");
  ExpectAttachedTo("session-29");
}

TEST_F(Picker, NeedsATerminal) {
  OpenThree();
  CommandResult result = RunCommand(
      {ServerPath(), "attach"}, {"GLASSTTY_STATE_DIR=" + client_.state_dir()});
  EXPECT_EQ(WEXITSTATUS(result.status), 1);
  EXPECT_NE(result.output.find("must be a terminal"), std::string::npos);
}

}  // namespace
}  // namespace glasstty::testing

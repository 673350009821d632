// `glasstty secret`: a person's program types a secret into a session.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <string>
#include <vector>

#include "e2e/desk.h"
#include "e2e/steps.h"

namespace glasstty::testing {
namespace {

constexpr char kSecret[] = "Qx7 person'94";

class SecretCommand : public ::testing::Test {
 protected:
  void OpenOneThatAsks() {
    ASSERT_TRUE(Good(Open(
        &client_, "asks",
        {"bash", "-c", "read -rsp 'Key: ' x; echo; echo ${#x} letters; cat"})));
  }
  // Runs a line of the shell in which $G is the program.
  CommandResult Shell(const std::string& line) {
    return RunCommand({"sh", "-c", line},
                      {"GLASSTTY_STATE_DIR=" + client_.state_dir(),
                       "G=" + ServerPath(), "S=" + std::string(kSecret)});
  }
  ::testing::AssertionResult IsRefused(const std::string& line,
                                       const std::string& why, int status = 1) {
    CommandResult result = Shell(line);
    if (WEXITSTATUS(result.status) == status &&
        result.output.find(why) != std::string::npos) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure()
           << "status " << WEXITSTATUS(result.status) << ": " << result.output;
  }

  McpClient client_;
};

TEST_F(SecretCommand, TypesTheFirstLineOfStdinUnseen) {
  OpenOneThatAsks();
  CommandResult result = Shell("printf '%s\\nmore\\n' \"$S\" | $G secret asks");
  EXPECT_EQ(WEXITSTATUS(result.status), 0) << result.output;
  EXPECT_EQ(result.output, "");
  Reply reply = client_.Call(
      "term_wait", {{"session", "asks"}, {"until", {{"text", "letters"}}}});
  EXPECT_TRUE(Shows(reply, "13 letters"));
  EXPECT_TRUE(
      Shows(reply, "a person typed the secret; it is in no log and no reply"));
  EXPECT_EQ(FilesWith(client_.state_dir(), kSecret).size(), 0u);
}

TEST_F(SecretCommand, TakesALineWithoutItsEnd) {
  OpenOneThatAsks();
  CommandResult result = Shell("printf four | $G secret asks");
  EXPECT_EQ(WEXITSTATUS(result.status), 0) << result.output;
  EXPECT_TRUE(Shows(
      client_.Call("term_wait",
                   {{"session", "asks"}, {"until", {{"text", "letters"}}}}),
      "4 letters"));
}

TEST_F(SecretCommand, IsRefusedWhereNobodyAsks) {
  ASSERT_TRUE(Good(Open(&client_, "cat", {"cat"})));
  EXPECT_TRUE(IsRefused("echo \"$S\" | $G secret cat",
                        "cat: the secret was not typed: the terminal is no "
                        "longer at a password prompt"));
  EXPECT_EQ(FilesWith(client_.state_dir(), kSecret).size(), 0u);
}

TEST_F(SecretCommand, IsRefusedWhileSomebodyElseHasTheKeyboard) {
  OpenOneThatAsks();
  Desk desk(client_.state_dir(), {"attach", "--take", "asks"});
  ASSERT_TRUE(desk.Sees("you have the keyboard"));
  EXPECT_TRUE(
      IsRefused("echo \"$S\" | $G secret asks", "not typed: attach pts/"));
  desk.Type("mine\r");
  EXPECT_TRUE(desk.Sees("4 letters"));
}

TEST_F(SecretCommand, IsRefusedOnceTheProgramHasEnded) {
  ASSERT_TRUE(Good(Open(&client_, "done", {"true"})));
  EXPECT_TRUE(
      IsRefused("echo \"$S\" | $G secret done", "the program has ended"));
}

TEST_F(SecretCommand, NeedsASecret) {
  OpenOneThatAsks();
  EXPECT_TRUE(IsRefused("$G secret asks </dev/null", "stdin is empty"));
  EXPECT_TRUE(IsRefused("head -c 5000 /dev/zero | tr '\\0' x | $G secret asks",
                        "longer than 4095 bytes", 2));
  EXPECT_TRUE(IsRefused("$G secret asks <&-", "read the secret from stdin"));
}

TEST_F(SecretCommand, NeedsASession) {
  EXPECT_TRUE(IsRefused("echo | $G secret", "give one session", 2));
  EXPECT_TRUE(IsRefused("echo | $G secret nobody", "nobody"));
}

TEST_F(SecretCommand, IsNotReadFromATerminal) {
  OpenOneThatAsks();
  Desk desk(client_.state_dir(), {"secret", "asks"});
  EXPECT_TRUE(desk.Sees("stdin is a terminal"));
  auto status = desk.AwaitEnd();
  ASSERT_TRUE(status);
  EXPECT_EQ(WEXITSTATUS(*status), 2);
}

TEST_F(SecretCommand, IsRefusedInsideASession) {
  OpenOneThatAsks();
  Reply reply =
      RunIn(&client_, "main", "echo x | " + ServerPath() + " secret asks 2>&1");
  EXPECT_TRUE(Shows(reply, "this terminal is itself a glasstty session"));
}

}  // namespace
}  // namespace glasstty::testing

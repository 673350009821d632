// Tests that prepared answers find the questions that programs draw: in the
// boxes of dialogs, above status lines, inside frames.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

Json Answer(const std::string& when, const Json& step, int times = 9) {
  return {{"when", when}, {"input", Json::array({step})}, {"times", times}};
}

class Questions : public ::testing::Test {
 protected:
  Questions() : client_(WithSecret()) {}
  static ServerOptions WithSecret() {
    ServerOptions options;
    options.extra_environment = {"GLASSTTY_TEST_SECRET=hunter2"};
    return options;
  }
  void SetUp() override {
    Reply opened =
        Open(&client_, "main", {"bash", "--norc"}, {{"env", {{"PS1", "$ "}}}});
    ASSERT_TRUE(Good(opened));
  }
  Reply Run(const std::string& command, const std::vector<Json>& answers) {
    return client_.Call(
        "term_run",
        {{"command", command}, {"answers", answers}, {"timeout_s", 20}});
  }

  McpClient client_;
};

// The dialogs have the same title and position.
class QuestionsOfDialogs : public Questions,
                           public ::testing::WithParamInterface<const char*> {};

TEST_P(QuestionsOfDialogs, AreAnsweredOneAfterAnother) {
  std::string show = std::string(GetParam()) + " --title Setup ";
  Reply reply = Run(
      "name=$(" + show + "--inputbox 'Your name?' 10 50 3>&1 1>&2 2>&3)\n" +
          "port=$(" + show + "--inputbox 'Port?' 10 50 80 3>&1 1>&2 2>&3)\n" +
          "list=$(" + show +
          "--checklist 'Which?' 12 50 3 a A off b B off 3>&1 1>&2 2>&3)\n" +
          "n=0; while " + show + "--yesno 'More?' 8 40; do n=$((n+1)); done\n" +
          "echo \"got $name $port $list $n\"",
      {Answer("Which", "<Space><Enter>"), Answer("Port", "<BS><BS>99<Enter>"),
       Answer("name", "bob<Enter>"), Answer("More", "<Enter>", 2),
       Answer("More", "<Tab><Enter>")});
  EXPECT_TRUE(Shows(reply, "exit=0"));
  std::string body = reply.body;
  std::erase(body, '"');  // whiptail quotes what was chosen
  EXPECT_NE(body.find("got bob 99 a 2"), std::string::npos) << reply.text;
}

INSTANTIATE_TEST_SUITE_P(All, QuestionsOfDialogs,
                         ::testing::Values("dialog", "whiptail"),
                         [](const ::testing::TestParamInfo<const char*>& row) {
                           return std::string(row.param);
                         });

// apt does this while it shows its progress.
TEST_F(Questions, MayStandAboveAStatusLine) {
  Reply reply =
      Run(R"(printf 'Go on? [Y/n] \e7\e[24;1HProgress: [ 20%%]\e8'; read y
printf '\e[24;1H\e[K'; echo "got $y")",
          {Answer("^Go on\\? \\[Y/n\\]", "yes\n")});
  EXPECT_TRUE(Shows(reply, "got yes"));
}

// The line of the first keeps its sign, and the program prints below it.
TEST_F(Questions, ThatWereAnsweredAreNotAnsweredAgain) {
  Reply reply = Run(
      R"(ask() { printf '? %s \n  \e[2m? for help\e[0m\e[A\r\e[%dC' "$1" $((3 + ${#1})); read a; printf '\e[K'; }
ask 'Your name'; name=$a; ask 'Your port'; echo "got $name $a")",
      {Answer("name", "bob\n"), Answer("port", "99\n")});
  EXPECT_TRUE(Shows(reply, "got bob 99"));
}

// This frame contains the prompt of getpass(3).
constexpr char kFramed[] =
    R"(python3 -c 'import getpass; p = getpass.getpass("+------------+\n| Password:\n+------------+\x1b[A\r\x1b[12C"); print("\n\nlength", len(p))')";

TEST_F(Questions, InAFrameAreGivenSecretsWhereTheTerminalDoesNotEcho) {
  Json secret = {{"secret_env", "GLASSTTY_TEST_SECRET"}};
  Reply reply = Run(kFramed, {Answer("^Password:$", secret)});
  EXPECT_TRUE(Shows(reply, "length 7"));
  EXPECT_TRUE(Shows(reply, "answered \"Password:\""));
  EXPECT_EQ(reply.text.find("hunter2"), std::string::npos);
}

TEST_F(Questions, InAFrameAreGivenNoSecretsWhereTheTerminalEchoes) {
  Json secret = {{"secret_env", "GLASSTTY_TEST_SECRET"}};
  Reply reply = Run(
      R"(printf '+----------+\n| Password:\n+----------+\e[A\r\e[12C'; read p)",
      {Answer("^Password:$", secret)});
  EXPECT_TRUE(Shows(reply, "reason=untyped"));
  EXPECT_TRUE(Shows(reply, "not typed: "));
  EXPECT_EQ(reply.text.find("pattern"), std::string::npos) << reply.text;
  EXPECT_EQ(Join(Screen(&client_, "main")).find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace glasstty::testing

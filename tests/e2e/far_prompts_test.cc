// Tests term_run in a shell that a person reached by ssh in a session's own
// shell: it works with any prompt, and never in anything else.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "e2e/ssh_server.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

class FarPrompts : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(ssh_.problem(), "");
    ServerOptions options;
    options.extra_environment = {"PATH=" + ssh_.bin() + ":" + getenv("PATH")};
    client_ = std::make_unique<McpClient>(options);
    ASSERT_TRUE(Good(Open(client_.get(), "s", {"bash", "--norc"})));
  }
  // Connects, and waits for the condition.
  Reply Ssh(const std::string& command, const Json& until) {
    return client_->Call("term_send",
                         {{"session", "s"},
                          {"input", "ssh -t db \"" + command + "\"\n"},
                          {"until", until},
                          {"timeout_s", 20}});
  }
  Reply Run(const std::string& command) {
    return client_->Call("term_run", {{"session", "s"}, {"command", command}});
  }

  SshServer ssh_{"", true};
  TempDir home_;
  std::unique_ptr<McpClient> client_;
};

TEST_F(FarPrompts, OfFishAreRecognisedAndItsLanguageIsSpoken) {
  home_.Write("config.fish",
              "function fish_prompt; printf 'me@host %s> ' (prompt_pwd); end\n"
              "set -g fish_greeting\n");
  Ssh("env XDG_CONFIG_HOME=" + home_.path() + " XDG_DATA_HOME=" + home_.path() +
          " fish -C 'source " + home_.Join("config.fish") + "'",
      {{"text", "me@host"}});
  Reply reply = Run("echo one; echo two");
  EXPECT_EQ(reply.body, "one\ntwo") << reply.text;
  EXPECT_NE(reply.header.find("exit=0"), std::string::npos) << reply.header;
  reply = Run("set x 5; false");
  EXPECT_NE(reply.header.find("exit=1"), std::string::npos) << reply.header;
  EXPECT_EQ(Run("echo $x").body, "5");
}

TEST_F(FarPrompts, OfThemesAreRecognised) {
  struct Theme {
    const char* prompt;
    const char* shown;
  };
  const std::vector<Theme> themes = {
      {"➜  %1~ ", "➜"},
      {"%1~ ❯ ", "❯"},
      {"%n@box %1~ (main) ", "@box"},
      {"~ on main >> ", "on main"},
      {"[12:30] ~: ", "12:30"},
      // These have two rows.
      {"~ on main\n> ", "on main"},
      {"╭─ %1~ ─╮\n╰─ ", "╰─"},
  };
  for (const auto& [prompt, shown] : Sample(themes, 3)) {
    home_.Write(".zshrc", std::string("PS1='") + prompt + "'\n");
    Ssh("env ZDOTDIR=" + home_.path() + " zsh", {{"text", shown}});
    Reply reply = Run("echo one; (exit 3)");
    EXPECT_EQ(reply.body, "one") << prompt << reply.text;
    EXPECT_NE(reply.header.find("exit=3"), std::string::npos) << reply.header;
    reply = Run("echo two");
    EXPECT_EQ(reply.body, "two") << prompt << reply.text;
    client_->Call("term_send", {{"session", "s"},
                                {"input", "exit\n"},
                                {"until", {{"state", "prompt"}}},
                                {"timeout_s", 10}});
  }
}

TEST_F(FarPrompts, OfCshAreNotTakenForThoseOfFish) {
  if (!IsInstalled("tcsh")) GTEST_SKIP() << "tcsh is not installed";
  home_.Write(".tcshrc", "set prompt = 'me@box:~%# '\n");
  Ssh("env HOME=" + home_.path() + " tcsh", {{"text", "me@box"}});
  Reply reply = Run("echo one; sh -c 'exit 3'");
  EXPECT_EQ(reply.body, "one") << reply.text;
  EXPECT_NE(reply.header.find("exit=3"), std::string::npos) << reply.header;
  for (const char* command : {"rm a # b", "echo one\necho two"}) {
    reply = Run(command);
    EXPECT_TRUE(reply.is_error) << reply.text;
    EXPECT_TRUE(Shows(reply, "nothing was typed"));
  }
}

TEST_F(FarPrompts, OfOtherProgramsGetNothing) {
  // The prompt is in two pieces, so that the echo of the line does not show it.
  struct Prompt {
    std::string first;
    std::string rest;
  };
  for (const auto& [first, rest] :
       {Prompt{">", ">> "}, Prompt{"db", "=# "}, Prompt{"Pass", "word: "}}) {
    std::string prompt = first + rest;
    std::string ask = "printf '" + first;
    ask.append("''").append(rest).append("'; read x; echo got=\\$x.");
    Ssh(ask, {{"text", prompt}});
    Reply reply = Run("echo one");
    EXPECT_TRUE(reply.is_error) << reply.text;
    EXPECT_TRUE(Shows(reply, "\"on\": \"ssh:HOST\""));
    reply = client_->Call("term_send", {{"session", "s"},
                                        {"input", "me\n"},
                                        {"until", {{"state", "prompt"}}}});
    EXPECT_TRUE(Shows(reply, "got=me.")) << prompt;
  }
}

// It looks like a shell's prompt.
TEST_F(FarPrompts, ThatDoNotAnswerGetNoCommand) {
  Ssh("printf 'me@''box:~$ '; read x; echo got", {{"text", "me@box:~$ "}});
  Reply reply = Run("echo one");
  EXPECT_TRUE(reply.is_error) << reply.text;
  EXPECT_TRUE(Shows(reply, "did not answer as a shell does"));
  EXPECT_EQ(Join(Screen(client_.get(), "s")).find("echo one"),
            std::string::npos);
}

}  // namespace
}  // namespace glasstty::testing

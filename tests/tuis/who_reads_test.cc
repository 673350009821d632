// Tests that programs which draw and have a shell inside are not mistaken for
// that shell: no command is typed into them, and no secret where they show it.
#include <gtest/gtest.h>

#include <string>

#include "e2e/steps.h"
#include "tuis/programs.h"

namespace glasstty::testing {
namespace {

// term_run must be refused, and nothing of the command may be on the screen.
void ExpectNoCommand(AtWork* it) {
  Reply reply = it->client()->Call(
      "term_run",
      {{"session", "it"}, {"command", "echo in-a-shell"}, {"timeout_s", 3}});
  EXPECT_TRUE(reply.is_error) << reply.text;
  std::string screen = Join(Screen(it->client(), "it"));
  EXPECT_EQ(screen.find("in-a-shell"), std::string::npos) << screen;
}

TEST(WhoReads, NvimBesideItsTerminalGetsNoCommand) {
  AtWork it({"nvim",
             {"nvim", "--clean", "lines", "-c", "split | terminal bash --norc",
              "-c", "wincmd p"},
             "bash-"});
  ASSERT_TRUE(it.IsReady());
  ExpectNoCommand(&it);
  it.Send({":w<Enter>"});
  EXPECT_TRUE(it.Sees("written"));
  EXPECT_TRUE(ReadWholeFile(it.project() + "/lines")
                  .starts_with("line 1 of the file\nline 2 of the file\n"));
}

TEST(WhoReads, NvimInItsTerminalGetsNoCommand) {
  AtWork it(
      {"nvim", {"nvim", "--clean", "-c", "terminal bash --norc"}, "bash-"});
  ASSERT_TRUE(it.IsReady());
  ExpectNoCommand(&it);
}

TEST(WhoReads, MicroWithATerminalGetsNoCommand) {
  AtWork it({"micro", {"micro", "lines"}, "line 20"});
  ASSERT_TRUE(it.IsReady());
  it.Send({"<C-e>term bash --norc<Enter>"});
  ASSERT_TRUE(it.Sees("bash-"));
  ExpectNoCommand(&it);
}

TEST(WhoReads, EmacsShowsNoSecretThatItsShellAsksFor) {
  const std::string setup = R"((progn (setenv "PS1" "ready> ")
                                      (setq explicit-shell-file-name "/bin/sh")
                                      (shell)))";
  AtWork it({"emacs", {"emacs", "-nw", "-Q", "--eval", setup}, "ready>"});
  ASSERT_TRUE(it.IsReady());
  // The shell waits on a terminal of its own, without echo.
  it.Send({"stty -echo; echo asks-for-it; read it<Enter>"});
  ASSERT_TRUE(it.Sees("\n|asks-for-it"));
  // This also applies to another buffer.
  for (const char* keys : {"<C-l>", "<C-x>b*scratch*<Enter>"}) {
    it.Send({keys});
    Reply reply = it.Send({Json{{"secret", "hunter2-in-the-open"}}});
    EXPECT_TRUE(reply.is_error) << keys << ": " << reply.text;
    EXPECT_EQ(Join(Screen(it.client(), "it")).find("hunter2"),
              std::string::npos);
    Reply list = it.client()->Call("term_list", {{"session", "it"}});
    EXPECT_EQ(list.text.find(" secret "), std::string::npos) << list.text;
  }
}

class WhoReadsInAgents : public ::testing::TestWithParam<Program> {};

TEST_P(WhoReadsInAgents, NoComposerIsAShellOrAPasswordPrompt) {
  SKIP_IF_MISSING(GetParam());
  AtWork it(GetParam());
  ASSERT_TRUE(it.IsReady());
  ExpectNoCommand(&it);
  EXPECT_TRUE(it.Send({Json{{"secret", "hunter2-in-the-open"}}}).is_error);
  EXPECT_EQ(it.model().EverythingHeard().find("hunter2"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, WhoReadsInAgents,
                         ::testing::ValuesIn(AgentPrograms()),
                         [](const ::testing::TestParamInfo<Program>& row) {
                           return row.param.name;
                         });

}  // namespace
}  // namespace glasstty::testing

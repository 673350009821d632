// Tests term_run if the command changes what reveals its end: the prompt, the
// hooks, the standard streams; or prints marks of its own.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

struct Trick {
  const char* name;
  const char* bash;
  const char* zsh;
};

void PrintTo(const Trick& trick, std::ostream* out) { *out << trick.name; }

// Each is run first; the commands after it must be reported as usual.
const Trick kTricks[] = {
    {"ResetsPS0", "PS0=", "preexec_functions=()"},
    {"ChangesThePrompt", "PS1='new> '", "PS1='new> '"},
    {"EmptiesThePrompt", "PS1=", "PS1="},
    {"TakesHooksAway", "unset PROMPT_COMMAND", "precmd_functions=()"},
    {"MakesPrintfAFunction", "printf() { :; }", "printf() { :; }"},
    {"Traces", "set -x", "set -x"},
    {"ShowsLines", "set -v", "set -v"},
    {"TrapsDebug", "trap 'echo \"<$BASH_COMMAND>\"' DEBUG",
     "trap 'echo \"<$ZSH_DEBUG_CMD>\"' DEBUG"},
    {"TrapsErrors", "trap 'echo ERR' ERR", "trap 'echo ERR' ERR"},
    {"EditsLikeVi", "set -o vi", "bindkey -v"},
    {"MakesTheTerminalRaw", "stty raw", "stty raw"},
    {"SwitchesTheEchoOff", "stty -echo", "stty -echo"},
    {"SplitsAtDigits", "IFS=0123456789", "IFS=0123456789"},
    {"IgnoresSignals", "trap '' INT TERM HUP", "trap '' INT TERM HUP"},
    {"LeavesAStringOpen", "printf '\\033]0;open'", "printf '\\033]0;open'"},
    {"LeavesADeviceStringOpen", "printf '\\033P+q'", "printf '\\033P+q'"},
    {"IsInADirectoryThatIsGone", "mkdir d; cd d; rmdir ../d",
     "mkdir d; cd d; rmdir ../d"},
    {"PrintsForeignBeginnings", "printf '\\033]133;C\\a%.0s' {1..40}",
     "printf '\\033]133;C\\a%.0s' {1..40}"},
    {"PrintsForeignEnds",
     "printf '\\033]133;D;0\\a\\033]133;A\\a\\033]133;B\\a'",
     "printf '\\033]133;D;0\\a\\033]133;A\\a\\033]133;B\\a'"},
};

class RunAfter
    : public ::testing::TestWithParam<std::tuple<std::string, Trick>> {};

TEST_P(RunAfter, TheNextCommandsAreToldAsEver) {
  const auto& [shell, trick] = GetParam();
  TempDir home;
  home.Write(".zshrc", "");
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  ASSERT_TRUE(Good(Open(&client, "s", {shell})));
  const std::string command = shell == "bash" ? trick.bash : trick.zsh;
  auto run = [&client](const std::string& text) {
    return client.Call("term_run", {{"session", "s"}, {"command", text}});
  };
  run("cd");
  Reply reply = run(command + "; (exit 4)");
  EXPECT_TRUE(Shows(reply, "] prompt exit=4"));
  reply = run("echo out");
  EXPECT_TRUE(Shows(reply, "] prompt exit=0"));
  // Traces and traps print around it.
  EXPECT_NE(("\n" + reply.body + "\n").find("\nout\n"), std::string::npos)
      << reply.text;
  EXPECT_TRUE(Shows(run("(exit 5)"), "] prompt exit=5"));
  EXPECT_EQ(reply.text.find("glasstty_nonce"), std::string::npos) << reply.text;
}
INSTANTIATE_TEST_SUITE_P(
    All, RunAfter,
    ::testing::Combine(
        ::testing::ValuesIn(Sample(std::vector<std::string>{"bash", "zsh"}, 2)),
        ::testing::ValuesIn(kTricks)),
    [](const auto& row) {
      return std::get<0>(row.param) + std::get<1>(row.param).name;
    });

class RunRedirected : public ::testing::TestWithParam<std::string> {};

TEST_P(RunRedirected, MarksGoToTheTerminalAndNotIntoTheFile) {
  TempDir home;
  home.Write(".zshrc", "");
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  ASSERT_TRUE(Good(Open(&client, "s", {GetParam()}, {{"cwd", home.path()}})));
  auto run = [&client](const std::string& text) {
    return client.Call("term_run", {{"session", "s"}, {"command", text}});
  };
  EXPECT_TRUE(Shows(run("exec >file"), "] prompt exit=0"));
  EXPECT_TRUE(Shows(run("echo into; (exit 3)"), "] prompt exit=3"));
  EXPECT_TRUE(Shows(run("cd /"), "] prompt exit=0 / "));
  // zsh's editor itself writes there.
  std::string file = ReadWholeFile(home.Join("file"));
  EXPECT_NE(file.find("into\n"), std::string::npos) << file;
  EXPECT_EQ(file.find("\x1b]"), std::string::npos) << file;
  EXPECT_TRUE(Shows(run("exec >/dev/tty"), "] prompt exit=0"));
  EXPECT_EQ(run("echo back").body, "back");
}
INSTANTIATE_TEST_SUITE_P(All, RunRedirected, ::testing::Values("bash", "zsh"),
                         [](const auto& row) { return row.param; });

TEST(RunInFish, SaysThatALineThatIsNotRightWasNotRun) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "s", {"fish"})));
  Reply reply = client.Call("term_run",
                            {{"session", "s"}, {"command", "echo $$; echo x"}});
  EXPECT_TRUE(Shows(reply, "has not run the command"));
  EXPECT_TRUE(Shows(reply, "or invalid"));
}

}  // namespace
}  // namespace glasstty::testing

// Tests that the server's own environment does not spoil that of its programs:
// a colour terminal, UTF-8, default signals, the right size.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

// Prints the relevant facts about its environment, each on a line.
constexpr char kReport[] =
    "echo TERM=$TERM; echo COLORTERM=$COLORTERM; echo size=$(stty size);"
    "echo charmap=$(locale charmap);"
    "grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status | tr -d '\\t ';"
    "echo session=${GLASSTTY_SESSION:+set}; echo fds=$(ls /proc/self/fd | wc "
    "-l);"
    "tput colors; echo done";

struct Start {
  std::string name;
  std::vector<std::string> variables;  // besides PATH and HOME
  bool ignore_sigint = false;
};

class Environment : public ::testing::TestWithParam<Start> {};

TEST_P(Environment, OfTheServerDoesNotReachTheProgram) {
  TempDir home;
  ServerOptions options;
  options.environment = {"PATH=/usr/local/bin:/usr/bin:/bin",
                         "HOME=" + home.path()};
  options.extra_environment = GetParam().variables;
  options.ignore_sigint = GetParam().ignore_sigint;
  McpClient client(options);
  Reply reply = Open(&client, "report", {"sh", "-c", kReport},
                     {{"rows", 30},
                      {"cols", 90},
                      {"until", {{"state", "exited"}}},
                      {"timeout_s", 40}});
  ASSERT_TRUE(Good(reply));
  std::string text = Join(Screen(&client, "report"));
  for (const char* fact :
       {"|TERM=xterm-256color\n", "|COLORTERM=truecolor\n", "|size=30 90\n",
        "|charmap=UTF-8\n", "|SigBlk:0000000000000000\n",
        "|SigIgn:0000000000000000\n", "|session=set\n", "|256\n"}) {
    EXPECT_NE(text.find(fact), std::string::npos) << fact << "in\n" << text;
  }
  // These are 0, 1, 2 and the one that ls has open.
  EXPECT_NE(text.find("|fds=4\n"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    All, Environment,
    ::testing::Values(Start{"DumbTerminal", {"TERM=dumb"}},
                      Start{"NoTerminal", {}},
                      Start{"CLocale", {"LANG=C", "LC_ALL=C"}},
                      Start{"PosixLocale", {"LC_CTYPE=POSIX", "TERM=vt100"}},
                      Start{"WrongSize", {"LINES=3", "COLUMNS=7"}},
                      Start{"InterruptIgnored", {"TERM=dumb"}, true}),
    [](const auto& row) { return row.param.name; });

TEST(EnvironmentSignals, ControlCWorksUnderAServerThatIgnoresIt) {
  ServerOptions options;
  options.ignore_sigint = true;
  McpClient client(options);
  Open(&client, "shell", {"bash", "--norc"}, {{"env", {{"PS1", "$ "}}}});
  Keys(&client, "shell", "sleep 1000<Enter>");
  Keys(&client, "shell", "<C-c>");
  Keys(&client, "shell", "echo interrup''ted<Enter>");
  EXPECT_TRUE(SeesOnScreen(&client, "shell", "\n|interrupted"));
}

TEST(EnvironmentBare, PathAndHomeAreEnough) {
  TempDir home;
  ServerOptions options;
  options.environment = {"PATH=/usr/local/bin:/usr/bin:/bin",
                         "HOME=" + home.path()};
  options.bare_environment = true;
  McpClient client(options);
  // Without a command, this opens the user's shell.
  ASSERT_TRUE(Good(client.Call("term_open", {{"name", "main"}})));
  Keys(&client, "main", "echo $((6 * 7))<Enter>");
  EXPECT_TRUE(SeesOnScreen(&client, "main", "42"));
  EXPECT_FALSE(LiveHolders(home.path() + "/.local/state/glasstty").empty())
      << "sessions belong below ~/.local/state";
  client.CloseStdin();
  ASSERT_TRUE(client.WaitForExit(Seconds(10)));
  EXPECT_TRUE(LiveHolders(home.path() + "/.local/state/glasstty").empty());
}

TEST(EnvironmentNames, ThatNoProgramCouldFindAreRefused) {
  McpClient client{ServerOptions()};
  auto open = [&client](const std::string& name) {
    return client.Call(
        "term_open",
        {{"name", "x"}, {"argv", {"true"}}, {"env", {{name, "value"}}}});
  };
  for (const char* name : {"", "A=B"}) {
    Reply reply = open(name);
    EXPECT_TRUE(reply.is_error);
    EXPECT_TRUE(Shows(reply, "a variable's name"));
  }
  Reply reply = open(std::string("A\0B", 3));
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "holds a NUL byte"));
}

TEST(EnvironmentFiles, AreForTheUserAlone) {
  TempDir home;
  ServerOptions options;
  options.state_dir = home.Join("made");
  McpClient client(options);
  Open(&client, "main", {"bash", "--norc"});
  CommandResult open = RunCommand(
      {"find", options.state_dir, "-perm", "/077", "-not", "-type", "l"});
  EXPECT_EQ(open.output, "");
}

}  // namespace
}  // namespace glasstty::testing

// A person's commands in a real terminal, tmux, in windows of several sizes.
#include <gtest/gtest.h>
#include <signal.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "e2e/tmux.h"
#include "testing/mcp_client.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

struct Window {
  int cols, rows;
};
void PrintTo(const Window& window, std::ostream* out) {
  *out << window.cols << "x" << window.rows;
}

class Windows : public ::testing::TestWithParam<Window> {
 protected:
  Windows() : tmux_(GetParam().rows, GetParam().cols) {}
  ~Windows() override {
    pid_t server = wire::ServerOwner(state()).pid;
    if (server > 0) kill(server, SIGKILL);
  }

  std::string state() const { return home_.Join("state"); }
  std::vector<std::string> Environment() const {
    std::vector<std::string> environment = DefaultEnvironment(home_.path());
    environment.push_back("GLASSTTY_STATE_DIR=" + state());
    environment.push_back("LC_ALL=C.UTF-8");
    return environment;
  }
  // Runs `glasstty WORDS...` in the window.
  void See(std::vector<std::string> words) {
    words.insert(words.begin(), ServerPath());
    tmux_.Start(words, home_.path(), Environment());
  }
  void Shell(std::vector<std::string> words) {
    words.insert(words.begin(), ServerPath());
    CommandResult result = RunCommand(words, Environment());
    EXPECT_EQ(result.status, 0) << result.output;
  }
  ::testing::AssertionResult Sees(const std::string& text) {
    std::string screen;
    bool seen = Eventually(Seconds(20), [&] {
      screen = Join(tmux_.Screen());
      return screen.find(text) != std::string::npos;
    });
    if (seen) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "no '" << text << "' in\n"
                                         << screen;
  }
  // Opens sessions, the first of which shows a screen of 24x80 with its corners
  // named.
  void OpenSome() {
    Shell({"open", "--name", "corners", "--rows", "24", "--cols", "80",
           "printf '\\033[?1049h\\033[2J\\033[HTOP-LEFT\\033[1;71HTOP-RIGHT"
           "\\033[24;1HLOW-LEFT\\033[24;71HLOW-RIGHT'; cat"});
    Shell({"open", "--name", "a-session-with-a-rather-long-name", "cat"});
    Shell({"open", "--name", "third", "--timeout", "10ms", "sleep 1234; true"});
  }

  TempDir home_;
  Tmux tmux_;
};

TEST_P(Windows, ANewSessionFillsItAndTakesItsKeys) {
  See({"new", "mine"});
  ASSERT_TRUE(Sees("you "));
  tmux_.Keys("stty size; echo $((6*7))<Enter>");
  ASSERT_TRUE(Sees("42"));
  // The last row tells about the session.
  EXPECT_TRUE(
      Sees(absl::StrFormat("%d %d", GetParam().rows - 1, GetParam().cols)));
  tmux_.Keys("<C-\\>d");
  EXPECT_TRUE(Sees("[mine: left"));
}

TEST_P(Windows, TheListHasARowForEachSession) {
  OpenSome();
  // The shell in front may not have started it yet.
  ASSERT_TRUE(Eventually(Seconds(20), [&] {
    std::string list = RunCommand({ServerPath(), "ls"}, Environment()).output;
    return list.find("sleep 1234") != std::string::npos;
  }));
  See({"ls"});
  ASSERT_TRUE(Sees("third"));
  std::vector<std::string> rows = tmux_.Screen();
  ASSERT_EQ(rows.size(), 4u) << Join(rows);
  EXPECT_TRUE(rows[0].starts_with("NAME ")) << Join(rows);
  EXPECT_NE(Join(rows).find("sleep 123"), std::string::npos) << Join(rows);
}

TEST_P(Windows, ThePickerLeadsToASessionThatCanBePanned) {
  OpenSome();
  See({"attach"});
  ASSERT_TRUE(Sees("> "));
  tmux_.Keys("corn");
  ASSERT_TRUE(Sees("> corners"));
  tmux_.Keys("<Enter>");
  ASSERT_TRUE(Sees("LOW-RIGHT"));
  if (GetParam().cols < 80) tmux_.Keys("<Left><Left>");
  EXPECT_TRUE(Sees("LOW-LEFT"));
  if (GetParam().rows < 25) tmux_.Keys("<Up><Up><Up>");
  EXPECT_TRUE(Sees("TOP-LEFT"));
  tmux_.Keys("?");
  EXPECT_TRUE(Sees("leave"));
  tmux_.Keys("x<C-\\>d");
  EXPECT_TRUE(Sees("[corners: left"));
}

TEST_P(Windows, ARecordingIsPlayedInIt) {
  std::string cast = R"({"version":2,"width":80,"height":24})";
  for (int s = 0; s < 5; ++s) {
    absl::StrAppendFormat(&cast, "\n[%d,\"o\",\"second-%d.\\r\\n\"]", s, s);
  }
  home_.Write("demo.cast", cast + "\n");
  See({"play", "demo.cast", "--max-pause", "0.1"});
  ASSERT_TRUE(Sees("second-4."));
  ASSERT_TRUE(Sees("the end"));
  tmux_.Keys("q");
  EXPECT_TRUE(Sees("[demo.cast: left"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Windows,
                         ::testing::Values(Window{80, 24}, Window{40, 12},
                                           Window{200, 50}),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace glasstty::testing

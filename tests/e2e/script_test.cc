// Tests what scripts rely on: exit statuses, and what is printed to stdout and
// stderr.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

class Script : public ::testing::TestWithParam<const char*> {
 protected:
  ~Script() override {
    pid_t server = wire::ServerOwner(state_.path()).pid;
    if (server > 0) kill(server, SIGKILL);
  }

  // Lets the shell run `line`, in which `glasstty` is the program. The status
  // is the argument of exit(3).
  CommandResult Run(const std::string& line) {
    std::string folder = ServerPath().substr(0, ServerPath().rfind('/'));
    CommandResult result =
        RunCommand({GetParam(), "-c", line},
                   {"GLASSTTY_STATE_DIR=" + state_.path(),
                    "PATH=" + folder + ":/usr/local/bin:/usr/bin:/bin"});
    result.status = WEXITSTATUS(result.status);
    return result;
  }
  int StatusOf(const std::string& line) { return Run(line).status; }

  TempDir state_;
};

TEST_P(Script, EachEndOfAWaitHasItsStatus) {
  ASSERT_EQ(StatusOf("glasstty open -q --name cat cat"), 0);
  ASSERT_EQ(StatusOf("glasstty open -q --name lines "
                     "'echo BUILD FAILED; read x; exit 4'"),
            0);
  struct Case {
    const char* line;
    int status;
  };
  const Case cases[] = {
      {"glasstty wait -q cat --state input", 0},
      {"glasstty wait -q cat --text never --timeout 100ms", 124},
      {"glasstty wait -q lines --text 'BUILD OK' --stop FAILED", 3},
      {"glasstty send -q lines '<Enter>'", 0},
      {"glasstty wait -q lines --text 'BUILD OK'", 1},
      {"glasstty wait -q lines --state exited", 0},
      {"glasstty wait -q lines --state exited --exit-status", 4},
      {"glasstty wait -q nobody --text x", 126},
      {"glasstty wait -q cat --gone 'never there'", 1},
      {"glasstty wait -q cat --gone 'never there' --exec 'exit 9'", 1},
      {"glasstty wait -q cat --quiet 2h --timeout 100ms", 124},
      {"glasstty wait -q cat --still 2h --timeout 100ms", 124},
      {"glasstty wait -q cat", 2},
      {"glasstty wait -q cat lines --state exited", 0},
      {"glasstty wait -q cat --event --timeout 100ms", 124},
      {"glasstty wait -q nobody --event", 126},
      {"glasstty wait -q cat --event --text x", 2},
      {"glasstty watch -q cat w --text x", 0},
      {"glasstty watch -q cat w", 0},
      {"glasstty watch -q cat w", 126},
      {"glasstty watch -q cat", 2},
      {"glasstty wait -q cat --timeout soon", 2},
  };
  for (const Case& c : cases) EXPECT_EQ(StatusOf(c.line), c.status) << c.line;
}

TEST_P(Script, ACommandRunsOnlyIfTheConditionHeld) {
  ASSERT_EQ(StatusOf("glasstty open -q --name build "
                     "'echo compiling; sleep 0.1; exit 1'"),
            0);
  CommandResult failed =
      Run("glasstty wait -q build --text 'BUILD OK' && echo deployed");
  EXPECT_EQ(failed.output.find("deployed"), std::string::npos);
  CommandResult held =
      Run("glasstty wait -q build --state exited --exec 'echo deployed'");
  EXPECT_NE(held.output.find("deployed"), std::string::npos) << held.output;
  EXPECT_EQ(StatusOf("glasstty wait -q build --state exited --exec 'exit 9'"),
            9);
}

TEST_P(Script, TextThatHasGoneFromTheScreenIsGone) {
  ASSERT_EQ(StatusOf("glasstty open -q --name it 'while :; do echo Loading; "
                     "sleep 0.05; tput clear; sleep 0.05; done'"),
            0);
  EXPECT_EQ(StatusOf("glasstty wait -q it --gone Loading --exec 'exit 9'"), 9);
}

TEST_P(Script, AnUnknownStatusIsNoSuccess) {
  // A holder that is killed leaves no status.
  ASSERT_EQ(StatusOf("glasstty open -q --name lost 'kill -KILL $PPID; "
                     "sleep 0.1'"),
            0);
  EXPECT_EQ(StatusOf("glasstty wait -q lost --state exited"), 0);
  EXPECT_EQ(StatusOf("glasstty wait -q lost --state exited --exit-status "
                     "--exec 'exit 9'"),
            123);
  // The shell is replaced, so nobody hears how the command has ended.
  CommandResult replaced =
      Run("glasstty run 'exec bash --norc' && echo deployed");
  EXPECT_EQ(replaced.status, 123) << replaced.output;
  EXPECT_EQ(replaced.output.find("deployed"), std::string::npos);
  // A comment is a command that does nothing, as in `sh -c '# a comment'`.
  CommandResult nothing = Run("glasstty run --session other '# a comment'");
  EXPECT_EQ(nothing.status, 0) << nothing.output;
}

TEST_P(Script, ATimeMayBeLongerThanAnHour) {
  EXPECT_EQ(StatusOf("glasstty run -q --timeout 2h '(exit 5)'"), 5);
  EXPECT_EQ(StatusOf("glasstty send -q --timeout 3d main true '<Enter>'"), 0);
  EXPECT_EQ(StatusOf("glasstty wait -q main --state prompt --timeout 30d"), 0);
}

TEST_P(Script, ATimeOutSaysWhereTheTextWasShownBefore) {
  ASSERT_EQ(StatusOf("glasstty open -q --name it "
                     "'echo one; echo listening on 80; cat'"),
            0);
  ASSERT_EQ(StatusOf("glasstty wait -q it --text 'listening on'"), 0);
  ASSERT_EQ(StatusOf("glasstty read -q it"), 0);
  CommandResult late =
      Run("glasstty wait it --text 'listening on' --timeout 100ms 2>&1");
  EXPECT_EQ(late.status, 124);
  EXPECT_NE(late.output.find("already shown at line 2, before this wait"),
            std::string::npos)
      << late.output;
  EXPECT_EQ(StatusOf("glasstty wait -q it --text 'listening on' --on screen"),
            0);
}

TEST_P(Script, AKilledProgramHasTheStatusOfAShell) {
  ASSERT_EQ(StatusOf("glasstty open -q --name it sh -c 'kill -TERM $$'"), 0);
  EXPECT_EQ(StatusOf("glasstty wait -q it --state exited --exit-status"),
            128 + SIGTERM);
}

TEST_P(Script, RunPassesOnItsCommandsStatus) {
  for (int status : {0, 1, 7, 255}) {
    EXPECT_EQ(
        StatusOf("glasstty run -q '(exit " + std::to_string(status) + ")'"),
        status);
  }
  EXPECT_EQ(StatusOf("glasstty run -q --timeout 0.2 cat"), 124);
  EXPECT_EQ(StatusOf("glasstty send -q main '<C-c>'"), 0);
  EXPECT_EQ(StatusOf("glasstty run -q 'rm -rf /'"), 126);
}

TEST_P(Script, OutputIsOnStdoutAndTheRestOnStderr) {
  EXPECT_EQ(Run("glasstty run 'seq 3' 2>/dev/null").output, "1\n2\n3\n");
  EXPECT_EQ(Run("glasstty run true 2>/dev/null").output, "");
  EXPECT_EQ(Run("glasstty run -q 'echo it' 2>&1").output, "it\n");
  CommandResult state = Run("glasstty run 'echo it' 2>&1 >/dev/null");
  EXPECT_TRUE(state.output.starts_with("[main] prompt exit=0")) << state.output;
  CommandResult refusal = Run("glasstty read nobody 2>/dev/null");
  EXPECT_EQ(refusal.output, "");
  EXPECT_EQ(refusal.status, 126);
  EXPECT_NE(Run("glasstty list 2>/dev/null").output.find("[main]"),
            std::string::npos);
}

TEST_P(Script, WordsReachTheProgramUnchanged) {
  const std::string words = R"('%s\n' 'a; b' '$HOME' "it's" '*' '' '"')";
  const std::string printed = "a; b\n$HOME\nit's\n*\n\n\"\n";
  EXPECT_EQ(Run("glasstty run printf " + words + " 2>/dev/null").output,
            printed);
  ASSERT_EQ(StatusOf("glasstty open -q --name it printf " + words), 0);
  EXPECT_EQ(Run("glasstty read it --mode history 2>/dev/null").output, printed);
  // A single word is a command line.
  EXPECT_EQ(Run("glasstty run 'echo a; echo b' 2>/dev/null").output, "a\nb\n");
}

TEST_P(Script, JsonHasTheFacts) {
  auto facts = ParseJson(Run("glasstty run --json 'echo it; (exit 3)'").output);
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ((*facts)["text"], "it");
  EXPECT_EQ((*facts)["command_exit"], 3);
}

TEST_P(Script, HintsAreCommands) {
  CommandResult late = Run("glasstty run --timeout 0.2 cat 2>&1");
  EXPECT_EQ(late.output.find("term_"), std::string::npos) << late.output;
  EXPECT_NE(late.output.find("glasstty "), std::string::npos) << late.output;
  const char* const lines[] = {
      "glasstty list",
      "glasstty run --session main true",
      "glasstty run 'rm -rf /'",
      "glasstty wait nobody --text x",
      "glasstty wait main",
      "glasstty run --max-lines 2 seq 100",
      "glasstty search --max-lines 2 '[0-9]' main",
      "glasstty send nobody x",
  };
  ASSERT_EQ(StatusOf("glasstty send -q main '<C-c>' 'cat' '<Enter>'"), 0);
  for (const char* line : lines) {
    std::string output = Run(std::string(line) + " 2>&1").output;
    EXPECT_EQ(output.find("term_"), std::string::npos) << line << "\n"
                                                       << output;
    EXPECT_EQ(output.find("=true"), std::string::npos) << line << "\n"
                                                       << output;
  }
  EXPECT_EQ(Run("glasstty close --all; glasstty list --session x 2>&1; "
                "glasstty read --what")
                .output.find("term_"),
            std::string::npos);
}

TEST_P(Script, WithoutAServerTheStatusSaysSo) {
  EXPECT_EQ(StatusOf("GLASSTTY_STATE_DIR=/proc/nothing glasstty list -q"), 125);
}

INSTANTIATE_TEST_SUITE_P(
    All, Script,
    ::testing::ValuesIn(Sample(std::vector<const char*>{"bash", "dash", "fish"},
                               3)),
    [](const auto& shell) { return shell.param; });

}  // namespace
}  // namespace glasstty::testing

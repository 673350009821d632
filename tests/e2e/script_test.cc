// Tests what scripts rely on: exit statuses, and what is printed to stdout and
// stderr.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/source_tree.h"
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
                    "HOME=" + state_.path(), "TERM=xterm", "SHELL=/bin/bash",
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
      {"glasstty wait cat -q --state input,secret,prompt --timeout 1h30m", 10},
      {"glasstty wait -q cat --state secret --state input", 10},
      {"glasstty wait -q cat --change --timeout 100ms", 124},
      {"glasstty wait -q cat --change meaningful --timeout 100ms", 124},
      {"glasstty watch -q cat w --change", 0},
      {"glasstty watch -q --text x cat w", 0},
      {"glasstty read -q cat --mode raw --since 0", 0},
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
  EXPECT_NE(Run("glasstty list 2>/dev/null").output.find("\nmain "),
            std::string::npos);
}

// Expects what the shell itself prints.
TEST_P(Script, StdoutIsAllThatTheProgramPrinted) {
  const std::vector<std::string> commands = {
      "yes 2>/dev/null | head -3",
      "printf 'a\\n\\n\\n'",
      "echo",
      "printf 'a\\n\\n\\n\\n\\nb\\n'",
      "seq 1000",
      "seq 20000",
      "printf abc",
      "printf 'a\\nb'",
      "true",
  };
  int opened = 0;
  for (const std::string& command : Sample(commands, 2)) {
    std::string printed = RunCommand({"sh", "-c", command}, {}).output;
    std::string quoted = "\"" + command + "\"";
    EXPECT_EQ(Run("glasstty run -q " + quoted).output, printed) << command;
    EXPECT_EQ(
        Run("glasstty run -q --argv sh --argv -c --argv " + quoted).output,
        printed)
        << command;
    std::string name = "it" + std::to_string(++opened);
    EXPECT_EQ(Run("glasstty open -q --name " + name + " --until.state exited " +
                  quoted)
                  .output,
              printed)
        << command;
    EXPECT_EQ(Run("glasstty read -q --mode history " + name).output, printed)
        << command;
  }
  auto facts = ParseJson(Run("glasstty run --json 'echo a; echo'").output);
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ((*facts)["text"], "a\n\n");
}

TEST_P(Script, WhatIsLeftOutIsSaidOnStderr) {
  const std::string limited = "glasstty run --max-lines 2 'seq 100' ";
  EXPECT_EQ(Run(limited + "2>/dev/null").output, "1\n100\n");
  EXPECT_NE(Run(limited + "2>&1 >/dev/null")
                .output.find("98 lines left out: glasstty read --session main "
                             "--from-line"),
            std::string::npos);
}

TEST_P(Script, StderrOfTheProgramIsOnStderr) {
  const std::string line =
      "glasstty run -q --argv sh --argv -c --argv 'echo o; echo e >&2' ";
  EXPECT_EQ(Run(line + "2>/dev/null").output, "o\n");
  EXPECT_EQ(Run(line + "2>&1 >/dev/null").output, "e\n");
}

TEST_P(Script, LinesAboutSessionsAreOnStderr) {
  ASSERT_EQ(StatusOf("glasstty open -q --name a cat"), 0);
  ASSERT_EQ(StatusOf("glasstty open -q --name b cat"), 0);
  EXPECT_EQ(Run("glasstty wait a b --state input 2>/dev/null").output, "");
  EXPECT_EQ(Run("glasstty wait -q a b --state input 2>&1").output, "");
  EXPECT_EQ(Run("glasstty close --all 2>/dev/null").output, "");
}

TEST_P(Script, ACallersOwnConditionDecides) {
  struct Case {
    const char* line;
    int status;
  };
  const Case cases[] = {
      {"glasstty run -q --success.regex ok 'echo ok'", 0},
      {"glasstty run -q --success.regex ok 'echo no'", 1},
      {"glasstty run -q --success.regex ok '(exit 7)'", 7},
      {"glasstty run -q --success.exit-codes 5 '(exit 5)'", 0},
      {"glasstty run -q --success.exit-codes 5 true", 1},
      {"glasstty run -q --success.exit-codes any '(exit 5)'", 0},
      {"glasstty run -q --compare-with 'echo a' 'echo a'", 0},
      {"glasstty run -q --compare-with 'echo a' 'echo b'", 1},
      {"glasstty open -q --until.text READY 'echo READY; cat'", 0},
      {"glasstty open -q --until.text READY 'exit 0'", 1},
      {"glasstty open -q --until.text READY --timeout 100ms cat", 124},
      {"glasstty open -q --name it --until.text READY --until.stop ERROR "
       "'echo ERROR; cat'",
       3},
      {"glasstty send -q it hello '<Enter>' --until.text hello", 0},
      {"glasstty send -q it '<C-d>' --until.text never", 1},
  };
  for (const Case& c : cases) EXPECT_EQ(StatusOf(c.line), c.status) << c.line;
}

TEST_P(Script, APictureIsAFileOnStdout) {
  ASSERT_EQ(StatusOf("glasstty open -q --name it cat"), 0);
  std::string png = Run("glasstty read it --mode picture 2>/dev/null").output;
  EXPECT_TRUE(png.starts_with("\x89PNG")) << png.substr(0, 20);
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
  EXPECT_EQ((*facts)["text"], "it\n");
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
  EXPECT_EQ(Run("glasstty close --all; glasstty read --session x 2>&1; "
                "glasstty read --what")
                .output.find("term_"),
            std::string::npos);
}

// Returns the commands in a text that can be run as they are.
std::vector<std::string> CommandsIn(const std::string& text) {
  static const std::regex kCommand(
      "glasstty (read|wait|search|send|close|list|call [a-z_]+)"
      "( --[a-z-]+ [^ ;)\"\n]*[^ ;,)\"\n])*");
  std::vector<std::string> commands;
  for (std::sregex_iterator it(text.begin(), text.end(), kCommand), end;
       it != end; ++it) {
    commands.push_back(it->str());
  }
  return commands;
}

TEST_P(Script, HintsWorkAsTheyArePrinted) {
  // With more than one session, a command must name its own.
  ASSERT_EQ(StatusOf("glasstty open -q --name other cat"), 0);
  struct Case {
    const char* line;  // prints a hint
    const char* hint;
  };
  const Case cases[] = {
      {"glasstty run --max-lines 2 'seq 1000'", "glasstty read"},
      {"glasstty run --max-lines 2 'seq 9000'", "glasstty read"},
      {"glasstty run --json --max-lines 2 'seq 1000'", "glasstty read"},
      {"glasstty run --timeout 200ms 'sleep 2'", "glasstty wait"},
      {"glasstty run -q --timeout 200ms 'sleep 2'; glasstty run 'echo x'",
       "glasstty wait"},
      {"glasstty run --session two --timeout 5s cat", "glasstty send"},
      {"glasstty run --session two 'echo x'", "glasstty send"},
  };
  for (const Case& c : cases) {
    std::string said = Run(std::string(c.line) + " 2>&1").output;
    std::vector<std::string> commands = CommandsIn(said);
    EXPECT_NE(said.find(c.hint), std::string::npos) << c.line << "\n" << said;
    EXPECT_EQ(said.find("term_"), std::string::npos) << said;
    for (const std::string& command : commands) {
      CommandResult result = Run(command + " 2>&1");
      EXPECT_EQ(result.status, 0) << c.line << "\n"
                                  << said << command << "\n"
                                  << result.output;
    }
  }
}

TEST_P(Script, MistakesAreNamedAsFlags) {
  struct Case {
    const char* line;
    const char* words;
  };
  const Case cases[] = {
      {"glasstty wait main --state nonsense", "--state must be one of"},
      {"glasstty wait main --quiet 0", "--quiet must be"},
      {"glasstty run", "give either --command or --argv"},
      {"glasstty wait main", "a condition such as --text ready"},
      {"glasstty run --lines 3 true", "no argument --lines"},
  };
  for (const Case& c : cases) {
    CommandResult said = Run(std::string(c.line) + " 2>&1");
    EXPECT_EQ(said.status, 2) << c.line;
    EXPECT_NE(said.output.find(c.words), std::string::npos) << c.line << "\n"
                                                            << said.output;
    EXPECT_EQ(said.output.find("term_"), std::string::npos) << said.output;
  }
}

// A row of the table in docs/sharing.md.
struct Row {
  std::string line;
  std::vector<std::string> statuses;  // one of them
  std::string out, err;               // cells
};

std::string WithoutTicks(const std::string& cell) {
  bool is_quoted = cell.size() > 1 && cell[0] == '`' && cell.back() == '`';
  return is_quoted ? cell.substr(1, cell.size() - 2) : cell;
}

std::vector<Row> RowsOfThePage() {
  std::vector<Row> rows;
  for (const std::string& line :
       Lines(ReadWholeFile(SourcePath("docs/sharing.md")))) {
    std::vector<std::string> cells = absl::StrSplit(line, " | ");
    bool is_row = cells.size() == 4 && line.starts_with("| `glasstty ") &&
                  line.ends_with(" |");
    if (!is_row) continue;
    std::string err = cells[3].substr(0, cells[3].size() - 2);
    rows.push_back({WithoutTicks(cells[0].substr(2)),
                    absl::StrSplit(cells[1], " or "), cells[2], err});
  }
  return rows;
}

// A cell is "nothing", a text in quotes, or says what is printed.
void ExpectPrinted(const std::string& printed, const std::string& cell) {
  if (cell == "nothing") {
    EXPECT_EQ(printed, "");
  } else if (cell.starts_with('`')) {
    EXPECT_EQ(printed,
              absl::StrReplaceAll(WithoutTicks(cell), {{"\\n", "\n"}}) + "\n");
  } else {
    EXPECT_NE(printed, "") << cell;
  }
}

class ScriptInEachShell : public Script {};

TEST_P(ScriptInEachShell, FindsTheTableOfThePageTrue) {
  TempDir home;
  home.Write("bytes", "a\x1b[1mb");
  std::vector<Row> rows = RowsOfThePage();
  ASSERT_GE(rows.size(), 45u);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.line);
    std::string out = home.Join("out"), err = home.Join("err");
    CommandResult result = Run("cd " + home.path() + "; " + row.line + " >" +
                               out + " 2>" + err + " </dev/null");
    EXPECT_NE(std::find(row.statuses.begin(), row.statuses.end(),
                        std::to_string(result.status)),
              row.statuses.end())
        << result.status << ReadWholeFile(err);
    ExpectPrinted(ReadWholeFile(out), row.out);
    ExpectPrinted(ReadWholeFile(err), row.err);
  }
}

TEST_P(Script, WithoutAServerTheStatusSaysSo) {
  EXPECT_EQ(StatusOf("GLASSTTY_STATE_DIR=/proc/nothing glasstty read -q"), 125);
}

const std::vector<const char*> kCallersShells = {"bash", "dash", "fish"};

INSTANTIATE_TEST_SUITE_P(All, ScriptInEachShell,
                         ::testing::ValuesIn(Sample(kCallersShells, 3)),
                         [](const auto& shell) { return shell.param; });

INSTANTIATE_TEST_SUITE_P(All, Script,
                         ::testing::ValuesIn(Sample(kCallersShells, 3)),
                         [](const auto& shell) { return shell.param; });

}  // namespace
}  // namespace glasstty::testing

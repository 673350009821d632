// Compares real programs with tmux: the same program, keys and size must give
// the same screen. If a program shows the time or the load, tmux gets the very
// bytes that ours got.
#include <gtest/gtest.h>
#include <signal.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "e2e/tmux.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

constexpr int kRows = 24;
constexpr int kCols = 80;

struct Step {
  std::string keys;
  std::string seen;  // on the screen once the keys have had their effect
};

struct Program {
  std::string name;
  std::vector<std::string> argv;
  std::string first;  // on the first screen
  std::vector<Step> steps;
};

// Asks both until they agree, so that neither has to be waited for by time.
::testing::AssertionResult Agree(McpClient* client, const std::string& name,
                                 Tmux* tmux, const std::string& seen) {
  std::string ours, theirs;
  bool same = Eventually(Seconds(20), [&] {
    ours = Join(Screen(client, name));
    theirs = Join(tmux->Screen());
    return ours == theirs && ours.find(seen) != std::string::npos;
  });
  if (same) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "expected: " << seen << "\nours:\n"
                                       << ours << "tmux:\n"
                                       << theirs;
}

// Compares our screen with what tmux shows of the session's output so far.
// Tries again if more of the log has arrived in the meantime.
::testing::AssertionResult LogAgrees(McpClient* client,
                                     const std::string& name) {
  TempDir folder;
  for (std::string before;;) {
    std::string log = RawLog(client->state_dir(), name);
    Tmux tmux(kRows, kCols);
    tmux.Replay(folder.Write("log", log));
    ::testing::AssertionResult result = Agree(client, name, &tmux, "");
    if (result || log == before) return result;
    before = log;
  }
}

class Programs : public ::testing::TestWithParam<Program> {
 protected:
  Programs() {
    Fill(ours_);
    Fill(theirs_);
    // Configures mc without random hints and without free space, which changes
    // by itself.
    std::string mc = client_.home() + "/.config/mc";
    RunCommand({"mkdir", "-p", mc});
    RunCommand({"sh", "-c",
                "printf '[Layout]\\nmessage_visible=false\\nfree_space=false\\n"
                "[Midnight-Commander]\\nconfirm_exit=false\\n' >" +
                    mc + "/ini"});
  }

  // Uses a folder in a folder, because mc shows when the upper one has changed.
  static void Fill(const TempDir& folder) {
    RunCommand({"mkdir", folder.Join("work")});
    folder.Write("work/file", NumberedLines(100));
    folder.Write("work/tmux.conf",
                 "set -g status-right ''\nset -g status-left inner\n"
                 "set -g automatic-rename off\nset -g escape-time 0\n"
                 "set -g default-command dash\n");
  }

  std::vector<std::string> Environment() const {
    std::vector<std::string> environment = DefaultEnvironment(client_.home());
    environment.push_back("PS1=$ ");
    return environment;
  }

  TempDir ours_, theirs_;
  McpClient client_;
};

TEST_P(Programs, LookTheSameAsInTmux) {
  const Program& program = GetParam();
  Json more = {{"cwd", ours_.Join("work")}, {"env", {{"PS1", "$ "}}}};
  ASSERT_TRUE(Good(Open(&client_, "it", program.argv, more)));
  Tmux tmux(kRows, kCols);
  std::vector<std::string> argv = program.argv;
  // Two tmux servers inside must not be one.
  for (std::string& word : argv) {
    if (word == "inner") word = "inner2";
  }
  // Editors change their file, so each has its own. mc shows where it is.
  const TempDir& theirs = program.name == "mc" ? ours_ : theirs_;
  tmux.Start(argv, theirs.Join("work"), Environment());

  ASSERT_TRUE(Agree(&client_, "it", &tmux, program.first)) << "at the start";
  for (const Step& step : program.steps) {
    ASSERT_TRUE(Good(Keys(&client_, "it", step.keys)));
    tmux.Keys(step.keys);
    ASSERT_TRUE(Agree(&client_, "it", &tmux, step.seen))
        << "after " << step.keys;
  }
  if (program.name == "tmux") {
    RunCommand({"tmux", "-L", "inner2", "kill-server"});
  }
}

const Program kPrograms[] = {
    {"bash",
     {"bash", "--norc"},
     "$",
     {{"echo one; echo two<Enter>", "two"},
      {"seq 40<Enter>", "40"},
      {"printf 'a\\tb\\rX\\n'<Enter>", "X"},
      {"echo wide 世界 é<Enter>", "世界 é"},
      {"<Up><Up>", "printf"},
      {"<C-c>", "^C"},
      {"clear<Enter>", "$"}}},
    {"dash",
     {"dash"},
     "$",
     {{"echo hello<Enter>", "hello"}, {"seq 30 | tail -3<Enter>", "30"}}},
    {"python3",
     {"/usr/bin/python3", "-q"},
     ">>>",
     {{"print('x' * 100)<Enter>", "xxx"},
      {"for i in range(3): print(i)<Enter><Enter>", "2"},
      {"1/0<Enter>", "ZeroDivisionError"}}},
    {"vim",
     {"bash", "--norc"},
     "$",
     {{"echo before; vim -u NONE -n file<Enter>", "\"file\" 100 lines"},
      {"ihello<Esc>", "helloline 1"},
      {"jjdd", "line 4 of the file"},
      {"<C-f>", "line 40 of the file"},
      {":set number<Enter>", " 40 line 41"},
      {":split<Enter>", "file [+]"},
      {"<C-w>q", "line 40"},
      {"gg", "helloline 1"},
      {":wq<Enter>", "before"}}},
    {"less",
     {"less", "file"},
     "line 1 of the file",
     {{" ", "line 46 of the file"},
      {"/line 77<Enter>", "line 77"},
      {"<Up><Up>", "line 75"},
      {"G", "line 100 of the file"},
      {"g", "line 1 of the file"}}},
    {"nano",
     {"nano", "--ignorercfiles", "file"},
     "GNU nano",
     {{"top of it<Enter>", "top of it"},
      {"<C-w>line 50<Enter>", "line 50 of the file"},
      {"<C-k>", "line 51"},
      {"<C-o>", "File Name to Write: file"},
      {"<Enter>", "Wrote 100 lines"}}},
    {"mc",
     {"mc", "-u", "-d", "-b"},
     "tmux.conf",
     {{"<Down><Down>", "tmux.conf"},
      {"<F9>", "Left"},
      {"<Esc><Esc>", "tmux.conf"},
      {"<Tab>", "tmux.conf"}}},
    {"dialog",
     {"dialog", "--menu", "Choose one", "12", "40", "3", "a", "Alpha", "b",
      "Beta", "c", "Gamma"},
     "Choose one",
     {{"<Down>", "Beta"}, {"<Tab>", "Cancel"}}},
    {"tmux",
     {"tmux", "-L", "inner", "-f", "tmux.conf", "new-session"},
     "inner",
     {{"echo within<Enter>", "within"},
      {"<C-b>%", "│"},
      {"echo right<Enter>", "right"},
      {"<C-b>o", "within"}}},
};

INSTANTIATE_TEST_SUITE_P(All, Programs, ::testing::ValuesIn(kPrograms),
                         [](const auto& row) { return row.param.name; });

// htop waits 25 ms for what may follow an Escape.
TEST(ProgramsHtop, AnEscapeHasHadItsEffectWhenItsCallReturns) {
  McpClient client;
  Open(&client, "htop", {"htop"});
  ASSERT_TRUE(SeesOnScreen(&client, "htop", "F6"));
  Keys(&client, "htop", "<F6>");
  ASSERT_TRUE(SeesOnScreen(&client, "htop", "Sort by"));
  Keys(&client, "htop", "<Esc>");
  for (const std::string& row : Screen(&client, "htop")) {
    EXPECT_EQ(row.find("Sort by"), std::string::npos) << row;
  }
}

TEST(ProgramsVim, EveryStepIsRightAndThePrimaryScreenComesBack) {
  McpClient client;
  TempDir folder;
  ASSERT_TRUE(Good(Open(&client, "main", {"bash", "--norc"},
                        {{"cwd", folder.path()}, {"env", {{"PS1", "$ "}}}})));
  Keys(&client, "main", "echo before<Enter>");
  Keys(&client, "main", "vim --clean -n notes<Enter>");
  ASSERT_TRUE(SeesOnScreen(&client, "main", "\"notes\" [New]"));
  EXPECT_EQ(Screen(&client, "main")[1], "~");

  Keys(&client, "main", "ifirst<Enter>second");
  ASSERT_TRUE(SeesOnScreen(&client, "main", "second"));
  std::vector<std::string> rows = Screen(&client, "main");
  EXPECT_EQ(rows[0], "first");
  EXPECT_EQ(rows[1], "second");
  EXPECT_NE(rows.back().find("-- INSERT --"), std::string::npos);

  Keys(&client, "main", "<Esc>ggdd:wq<Enter>");
  ASSERT_TRUE(SeesOnScreen(&client, "main", "before"));
  rows = Screen(&client, "main");
  EXPECT_EQ(Join(rows),
            "|$ echo before\n|before\n|$ vim --clean -n notes\n|$\n");
  EXPECT_EQ(ReadWholeFile(folder.Join("notes")), "second\n");
}

// These programs never show the same twice, so they are stopped in the middle,
// so that log and screen are of one moment.
class ProgramsByLog : public ::testing::TestWithParam<std::string> {};

TEST_P(ProgramsByLog, ShowWhatTmuxMakesOfTheSameBytes) {
  McpClient client;
  std::string program = GetParam();
  ASSERT_TRUE(Good(Open(&client, "it", {program, "-d", "1"})));
  ASSERT_TRUE(SeesOnScreen(&client, "it", "PID"));
  ASSERT_TRUE(SeesOnScreen(&client, "it", "Tasks:"));
  std::string first = Join(Screen(&client, "it"));
  ASSERT_TRUE(Eventually(Seconds(20),
                         [&] { return Join(Screen(&client, "it")) != first; }))
      << "it never changed:\n"
      << first;

  pid_t pid = 0;
  for (const ProcessRow& row : ProcessesWith(client.mark())) {
    if (row.command.rfind(program, 0) == 0) pid = row.pid;
  }
  ASSERT_GT(pid, 0);
  kill(pid, SIGSTOP);
  EXPECT_TRUE(LogAgrees(&client, "it"));
  kill(pid, SIGCONT);
}

INSTANTIATE_TEST_SUITE_P(All, ProgramsByLog, ::testing::Values("htop", "top"),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace glasstty::testing

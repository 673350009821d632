// Tests what replies say has the focus in real programs, with colours and
// without, while the programs run. docs/focus.md covers many more screens.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

struct Pointing {
  // Typed once the previous text is on the screen.
  struct Step {
    const char* keys;
    const char* shown;  // then; "" if nothing in particular
  };
  const char* program;
  const char* doing;
  // Run by sh in a directory made by Fill.
  const char* command;
  const char* ready;  // on its first screen
  std::vector<Step> steps;
  // The beginning of one of the texts with the focus; "" if nothing has it.
  const char* coloured;
  const char* plain;
};

const std::vector<Pointing>& Pointings() {
  static const auto* rows = new std::vector<Pointing>{
      {"vim",
       "a completion menu",
       "vim --clean -n words",
       "apple",
       {{"Goap<C-n>", "match 1 of"}, {"<C-n>", "match 2 of"}},
       "apricot",
       ""},
      {"vim",
       "selected lines",
       "vim --clean -n lines",
       "line 1",
       {{"jjVj", "VISUAL"}},
       "line 3 of the file",
       "line 3 of the file"},
      {"vim",
       "selected words",
       "vim --clean -n lines",
       "line 1",
       {{"jjvee", "VISUAL"}},
       "line",
       "line"},
      {"htop",
       "the list of processes",
       "htop -d 100 -s PID",
       "F10",
       {{"<Home>", ""}},
       "1 root",
       "1 root"},
      {"htop",
       "the list of signals",
       "htop -d 100",
       "F10",
       {{"k", "Send signal"}},
       "15 SIGTERM",
       "15 SIGTERM"},
      {"whiptail",
       "a menu",
       "whiptail --menu Choose. 20 60 10 a Alpha b Beta c Gamma d Delta",
       "Cancel",
       {{"<Down>", ""}},
       "b Beta",
       "b Beta"},
      {"whiptail",
       "a checklist",
       "whiptail --checklist Choose. 20 60 10 a Alpha off b Beta on c Gamma "
       "off",
       "Cancel",
       {{"<Down>", ""}},
       "[*] b Beta",
       "[*] b Beta"},
      {"whiptail",
       "buttons",
       "whiptail --yesno 'Go on?' 10 40",
       "Go on?",
       {{"<Tab>", ""}},
       "<No>",
       "<No>"},
      {"dialog",
       "a menu",
       "dialog --menu Choose. 20 60 10 a Alpha b Beta c Gamma d Delta",
       "Cancel",
       {{"<Down>", ""}},
       "Beta",
       "Beta"},
      {"dialog",
       "a checklist",
       "dialog --checklist Choose. 20 60 10 a Alpha off b Beta on c Gamma off",
       "Cancel",
       {{"<Down>", ""}},
       "[*] b Beta",
       "[*] b Beta"},
      {"dialog",
       "buttons",
       "dialog --yesno 'Go on?' 10 40",
       "Go on?",
       {{"<Tab>", ""}},
       "< No >",
       "< No >"},
      {"mc",
       "a panel",
       "mc -u folder",
       "three.txt",
       {{"<Down><Down>", ""}},
       "three.txt",
       "three.txt"},
      {"mc",
       "an open menu",
       "mc -u folder",
       "three.txt",
       {{"<M-9><Down>", "Quick view"}, {"<Down>", ""}},
       "Quick view",
       "Quick view"},
      {"fzf",
       "a list",
       "ls folder | fzf",
       "3/3",
       {{"<Up>", ""}},
       "> three.txt",
       "> three.txt"},
      {"less",
       "what a search found",
       "less lines",
       "line 1",
       {{"/line 5<Enter>", "line 25"}},
       "",
       ""},
      {"git",
       "`git add -p`, which prints lines",
       "cd repository; git add -p",
       "Stage this hunk",
       {},
       "",
       ""},
      {"tig",
       "the list of commits",
       "cd repository; tig",
       "Beginning",
       {{"<End>", ""}},
       "20",
       ""},
      {"nano",
       "marked text",
       "nano lines",
       "line 1",
       {{"<M-a><Down>", ""}},
       "line 1 of the file",
       "line 1 of the file"},
      {"nano",
       "a question",
       "nano lines",
       "line 1",
       {{"x<C-x>", "Save modified"}},
       "Save modified buffer?",
       "Save modified buffer?"},
      {"top",
       "the list of processes, where nothing is selected",
       "top -d 100",
       "COMMAND",
       {},
       "",
       ""},
      {"ncdu",
       "the list of files",
       "ncdu folder",
       "three.txt",
       {{"<Down>", ""}},
       "20.0 KiB",
       "20.0 KiB"},
      {"emacs",
       "a marked region",
       "emacs -nw -Q lines",
       "line 1",
       {{"<C-Space><C-n>", ""}},
       "line 1 of the file",
       "line 1 of the file"},
      {"tmux",
       "the list of windows",
       "tmux -S socket -f /dev/null new -n first cat \\; neww -n second cat "
       "\\; choose-tree -N -w",
       "second",
       {{"<Up>", ""}},
       "(1)",
       "(1)"},
      {"gdb",
       "the present instruction",
       "gdb -q -nx -ex 'set confirm off' -ex 'layout asm' -ex starti "
       "/bin/true",
       "stopped",
       {},
       "0x",
       "0x"},
  };
  return *rows;
}

void Fill(const TempDir& folder) {
  folder.Write("lines", NumberedLines(100));
  folder.Write("words", "apple apricot application\n");
  RunCommand({"mkdir", folder.Join("folder"), folder.Join("repository")});
  folder.Write("folder/one.txt", std::string(10'000, 'x'));
  folder.Write("folder/three.txt", std::string(20'000, 'x'));
  folder.Write("folder/two.txt", std::string(30'000, 'x'));
  auto git = [&folder](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", folder.Join("repository"), "-c",
                                 "user.name=A", "-c", "user.email=a@b.c"});
    RunCommand(words);
  };
  git({"init", "-q"});
  folder.Write("repository/text", "first\n");
  git({"add", "text"});
  git({"commit", "-q", "-m", "Beginning"});
  folder.Write("repository/text", "second\n");
}

// Returns "a","b" of the header; "" if there is none.
std::string FocusOf(const Reply& reply) {
  size_t at = reply.header.find(" focus=");
  if (at == std::string::npos) return "";
  return reply.header.substr(at + 7, reply.header.rfind(" mode=") - at - 7);
}

bool PointsAt(const std::string& focus, const std::string& expected) {
  if (expected.empty()) return focus.empty();
  return focus.find('"' + expected) != std::string::npos;
}

bool IsInstalled(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

class FocusTable : public ::testing::TestWithParam<std::tuple<Pointing, bool>> {
};

TEST_P(FocusTable, NamesWhatTheProgramPointsAt) {
  const auto& [row, coloured] = GetParam();
  ASSERT_TRUE(IsInstalled(row.program))
      << row.program << " is missing; ./dev setup installs it";
  TempDir folder;
  Fill(folder);
  McpClient client;
  Json env = Json::object();
  if (!coloured) env = {{"TERM", "vt100"}, {"NO_COLOR", "1"}};
  ASSERT_TRUE(
      Good(Open(&client, "it", {"sh", "-c", row.command},
                {{"cwd", folder.path()}, {"env", env}, {"timeout_s", 0}})));
  ASSERT_TRUE(SeesOnScreen(&client, "it", row.ready));
  for (const Pointing::Step& step : row.steps) {
    Keys(&client, "it", step.keys);
    ASSERT_TRUE(SeesOnScreen(&client, "it", step.shown));
  }
  std::string expected = coloured ? row.coloured : row.plain;
  std::string focus;
  Eventually(Seconds(10), [&] {
    focus = FocusOf(
        client.Call("term_read",
                    {{"session", "it"}, {"mode", "snapshot"}, {"peek", true}}));
    return PointsAt(focus, expected);
  });
  EXPECT_TRUE(PointsAt(focus, expected))
      << focus << " instead of " << expected << "\n"
      << Join(Screen(&client, "it"));
}

std::string TestName(
    const ::testing::TestParamInfo<FocusTable::ParamType>& info) {
  const auto& [row, coloured] = info.param;
  std::string words = std::string(row.program) + row.doing;
  std::erase_if(words, [](unsigned char c) { return !std::isalnum(c); });
  return words + (coloured ? "Coloured" : "Plain");
}

INSTANTIATE_TEST_SUITE_P(
    All, FocusTable,
    ::testing::Combine(::testing::ValuesIn(Sample(Pointings(), 2)),
                       ::testing::Bool()),
    TestName);

}  // namespace
}  // namespace glasstty::testing

// Tests that a reply shows the program's reaction to the key: without further
// input, the screen is the same a moment later.
//
// Rows that change without keys (clocks, spinners) are found first and ignored.
// GLASSTTY_TUIS_ROUNDS=50 presses more than a thousand keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "tuis/programs.h"

namespace glasstty::testing {
namespace {

using Rows = std::vector<std::string>;

struct Typist {
  Program program;
  Rows keys;  // one reply each; the last leads back to where the first began
  // A text on its first screen that the program itself removes after a while.
  std::string hint = "";
};
void PrintTo(const Typist& typist, std::ostream* out) {
  *out << typist.program.name;
}

std::vector<Typist> Typists() {
  Rows ups_and_downs = {"<Down>", "<Down>", "<Down>", "<Up>", "<Up>", "<Up>"};
  Rows message = {"h", "e", "<BS>", "<BS>"};
  Rows commands = {"/", "<Down>", "<Down>", "<Up>", "<BS>"};
  commands.insert(commands.begin(), message.begin(), message.end());
  std::vector<Typist> typists = {
      {{"nvim", {"nvim", "--clean", "lines"}, "line 20"},
       {"j", "<C-d>", ":help<Enter>", "<C-f>", ":q<Enter>", "gg"}},
      {{"emacs", {"emacs", "-nw", "-Q", "lines"}, "line 20"},
       {"<C-n>", "<C-v>", "x", "<BS>", "<M-lt>"}},
      {{"micro", {"micro", "lines"}, "line 20"},
       {"<Down>", "<PageDown>", "x", "<BS>", "<C-f>", "l", "<Esc>",
        "<C-Home>"}},
      {{"btop", {"btop"}, "proc"},
       {"<Down>", "<Down>", "<Esc>", "<Esc>", "h", "<Esc>"}},
      {{"ptpython", {"ptpython3"}, ">>>"},
       {"i", "m", "p", "<BS>", "<BS>", "<BS>"}},
      {{"visidata", {"visidata", "table.csv"}, "cherry"},
       {"j", "j", "l", "k", "k", "h"}},
      {{"ClackSelect", Script("wizard.cjs", {"clack", "select"}), "Date"},
       ups_and_downs},
      {{"InquirerSelect", Script("wizard.cjs", {"inquirer", "select"}), "Date"},
       ups_and_downs},
      {{"EnquirerSelect", Script("wizard.cjs", {"enquirer", "select"}), "Date"},
       ups_and_downs},
      {{"BlessedList", Script("wizard.cjs", {"blessed", "list"}), "Date"},
       ups_and_downs},
      {{"dialog",
        {"dialog", "--menu", "Choose.", "20", "60", "10", "a", "Apple", "b",
         "Banana", "c", "Cherry"},
        "Cancel"},
       {"<Down>", "<Down>", "<Tab>", "<Tab>", "<Up>", "<Up>"}},
      {{"whiptail",
        {"whiptail", "--menu", "Choose.", "20", "60", "10", "a", "Apple", "b",
         "Banana", "c", "Cherry"},
        "Cancel"},
       {"<Down>", "<Down>", "<Up>", "<Up>"}},
  };
  for (const Program& agent : AgentPrograms()) {
    typists.push_back({agent, commands});
    // The hint stays there for 10 s.
    if (agent.name == "ClaudeCode") typists.back().hint = "/effort";
  }
  return typists;
}

// Looks for something that never comes, to let a moment without keys pass.
void LetAMomentPass(McpClient* client) {
  client->Call("term_wait", {{"session", "it"},
                             {"until", {{"title", "never ever"}}},
                             {"timeout_s", 0.4}});
}

// Returns the indices of rows that differ.
std::set<size_t> Differing(Rows one, Rows other) {
  std::set<size_t> rows;
  one.resize(std::max(one.size(), other.size()));
  other.resize(one.size());
  for (size_t i = 0; i < one.size(); ++i) {
    if (one[i] != other[i]) rows.insert(i);
  }
  return rows;
}

class StaleReplies : public ::testing::TestWithParam<Typist> {};

TEST_P(StaleReplies, TheFirstScreenIsNotBlank) {
  SKIP_IF_MISSING(GetParam().program);
  AtWork it(GetParam().program);
  EXPECT_TRUE(Good(it.first()));
  EXPECT_EQ(it.first().text.find("(blank screen)"), std::string::npos)
      << it.first().text;
}

TEST_P(StaleReplies, NoneIsGivenBeforeTheScreenIsDrawn) {
  const Typist& typist = GetParam();
  SKIP_IF_MISSING(typist.program);
  AtWork it(typist.program);
  ASSERT_TRUE(it.IsReady());
  if (!typist.hint.empty()) {
    it.client()->Call("term_wait", {{"session", "it"},
                                    {"until", {{"gone", typist.hint}}},
                                    {"timeout_s", 30}});
  }
  // The programs' own start is over when three looks agree, or never do.
  std::set<size_t> restless;
  Rows before = Screen(it.client(), "it");
  for (int calm = 0, look = 0; calm < 3 && look < 12; ++look) {
    LetAMomentPass(it.client());
    Rows now = Screen(it.client(), "it");
    std::set<size_t> rows = Differing(before, now);
    calm = rows.empty() ? calm + 1 : 0;
    if (look >= 6) restless.insert(rows.begin(), rows.end());
    before = now;
  }
  int pressed = 0, stale = 0;
  for (int round = 0; round < std::max(1, Rounds() / 4); ++round) {
    for (const std::string& key : typist.keys) {
      Reply reply = it.Send({key}, {{"mode", "snapshot"}});
      ASSERT_TRUE(Good(reply));
      Rows shown = UnfoldRows(reply.body);
      LetAMomentPass(it.client());
      Rows later = Screen(it.client(), "it");
      std::string rows;
      for (size_t row : Differing(shown, later)) {
        if (restless.contains(row)) continue;
        shown.resize(std::max(shown.size(), later.size()));
        later.resize(shown.size());
        rows += "-" + shown[row] + "\n+" + later[row] + "\n";
      }
      ++pressed;
      if (rows.empty()) continue;
      ++stale;
      ADD_FAILURE() << "after " << key << ", " << reply.header << "\n" << rows;
    }
  }
  RecordProperty("pressed", pressed);
  RecordProperty("stale", stale);
  std::printf("%d of %d replies were stale; %zu rows move by themselves\n",
              stale, pressed, restless.size());
}

INSTANTIATE_TEST_SUITE_P(All, StaleReplies, ::testing::ValuesIn(Typists()),
                         [](const ::testing::TestParamInfo<Typist>& row) {
                           return row.param.program.name;
                         });

}  // namespace
}  // namespace glasstty::testing

// Tests that after each key the reply names the entry that is chosen then, and
// none of the others, whether the program shows it by colour, a sign or the
// cursor.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "tuis/programs.h"

namespace glasstty::testing {
namespace {

constexpr int kAny = -2;  // not looked at

struct Walk {
  Program program;
  // The entries that can be chosen; none of them is part of another.
  std::vector<std::string> entries;
  struct Step {
    std::string keys;
    int entry;  // the index of the entry that is chosen then; -1: none of them;
                // or kAny
    std::string shown = {};  // on the screen then
  };
  std::vector<Step> steps;
};
void PrintTo(const Walk& walk, std::ostream* out) { *out << walk.program.name; }

const std::vector<std::string> kFruits = {"Apple", "Banana", "Cherry", "Date"};

Walk Wizard(const std::string& name, const std::string& library,
            const std::string& kind) {
  return {{name, Script("wizard.cjs", {library, kind}), "Date"},
          kFruits,
          {{"<Down>", 1}, {"<Down>", 2}, {"<Up>", 1}}};
}

Walk CheckList(const std::string& name, const std::string& library,
               const std::string& kind) {
  return {{name, Script("wizard.cjs", {library, kind}), "Date"},
          kFruits,
          {{"<Down>", 1}, {"<Space>", 1}, {"<Down>", 2}, {"<Up>", 1}}};
}

// Walks through /commands of an agent's program, with a blank where that makes
// them distinct.
Walk Commands(const std::string& agent, std::vector<std::string> entries) {
  return {AgentProgram(agent),
          std::move(entries),
          {{"/", 0}, {"<Down>", 1}, {"<Down>", 2}, {"<Up>", 1}}};
}

std::vector<Walk> Walks() {
  std::vector<std::string> fruits = {"a", "Apple",  "b", "Banana",
                                     "c", "Cherry", "d", "Date"};
  std::vector<std::string> choices = {"a",      "Apple", "on",   "b",
                                      "Banana", "off",   "c",    "Cherry",
                                      "off",    "d",     "Date", "off"};
  auto ask = [](std::vector<std::string> start,
                const std::vector<std::string>& rest) {
    start.insert(start.end(), rest.begin(), rest.end());
    return start;
  };
  std::vector<Walk> walks = {
      Wizard("ClackSelect", "clack", "select"),
      CheckList("ClackMultiselect", "clack", "multiselect"),
      {{"ClackConfirm", Script("wizard.cjs", {"clack", "confirm"}), "Go on?"},
       {"Yes", "No"},
       {{"<Right>", 1}, {"<Left>", 0}}},
      Wizard("InquirerSelect", "inquirer", "select"),
      CheckList("InquirerCheckbox", "inquirer", "checkbox"),
      Wizard("EnquirerSelect", "enquirer", "select"),
      CheckList("EnquirerMultiselect", "enquirer", "multiselect"),
      {{"EnquirerToggle", Script("wizard.cjs", {"enquirer", "toggle"}),
        "Go on?"},
       {"No", "Yes"},
       {{"<Right>", 1}, {"<Left>", 0}}},
      Wizard("BlessedList", "blessed", "list"),
      {{"DialogMenu",
        ask({"dialog", "--menu", "Choose.", "20", "60", "10"}, fruits),
        "Cancel"},
       kFruits,
       {{"<Down>", 1}, {"<Down>", 2}, {"<Up>", 1}}},
      {{"DialogCheckList",
        ask({"dialog", "--checklist", "Choose.", "20", "60", "10"}, choices),
        "Cancel"},
       kFruits,
       {{"<Down>", 1}, {"<Space>", 1}, {"<Down>", 2}}},
      {{"DialogButtons", {"dialog", "--yesno", "Go on?", "10", "40"}, "Go on?"},
       {"Yes", "No"},
       {{"<Tab>", 1}, {"<Tab>", 0}}},
      {{"WhiptailMenu",
        ask({"whiptail", "--menu", "Choose.", "20", "60", "10"}, fruits),
        "Cancel"},
       kFruits,
       {{"<Down>", 1}, {"<Down>", 2}, {"<Up>", 1}}},
      {{"WhiptailRadioList",
        ask({"whiptail", "--radiolist", "Choose.", "20", "60", "10"}, choices),
        "Cancel"},
       kFruits,
       {{"<Down>", 1}, {"<Space>", 1}, {"<Down>", 2}}},
      {{"WhiptailButtons",
        {"whiptail", "--yesno", "Go on?", "10", "40"},
        "Go on?"},
       {"Yes", "No"},
       {{"<Tab>", 1}, {"<Tab>", 0}}},
      // These are editors, whose status bars are not choices.
      {{"NvimText", {"nvim", "--clean", "lines"}, "line 20"},
       {"lines "},
       {{"j", -1}, {"j", -1}}},
      {{"NvimCompletion",
        {"nvim", "--clean", "-c",
         "call setline(1, ['alpine', 'alpha', 'alto', ''])"},
        "alto"},
       {"alpine", "alpha", "alto"},
       {{"Goal<C-n>", 0}, {"<C-n>", 1}, {"<C-n>", 2}, {"<C-p>", 1}}},
      {{"EmacsText", {"emacs", "-nw", "-Q", "lines"}, "line 20"},
       {"Fundamental"},
       {{"<C-n>", -1}, {"<C-n>", -1}}},
      {{"MicroText", {"micro", "lines"}, "line 20"},
       {"ft:"},
       {{"<Down>", -1}, {"<Down>", -1}}},
      {{"VisidataRows", {"visidata", "table.csv"}, "cherry"},
       {"apple", "banana", "cherry"},
       {{"j", 1}, {"j", 2}, {"k", 1}}},
      // The kind of the chosen entry is shown below the entries, in reverse
      // video.
      {{"PtpythonCompletion", {"ptpython3"}, ">>>"},
       {"False", "FileExistsError", "keyword", "class"},
       {{"f", kAny, "filter()"}, {"<Tab>", 0}, {"<Tab>", 1}}},
      {{"BtopProcesses", {"btop"}, "proc"},
       {" btop "},
       {{"f", kAny},
        {"b", kAny},
        {"t", kAny},
        {"o", kAny},
        {"p", kAny},
        {"<Enter>", -1},
        {"<Down>", 0}}},
  };
  walks.push_back(
      Commands("ClaudeCode", {"/add-dir", "/auto-mode", "/autocompact"}));
  walks.push_back(Commands("Codex", {"/model", "/presets", "/ide"}));
  walks.push_back(Commands("GeminiCli", {"clear", "compress", "directory"}));
  walks.push_back(Commands("opencode", {"/agents", "/connect", "/debug"}));
  return walks;
}

// Returns the focus in the reply's first line; "" if there is none.
std::string FocusOf(const Reply& reply) {
  size_t at = reply.header.find(" focus=");
  if (at == std::string::npos) return "";
  return reply.header.substr(at + 7, reply.header.rfind(" mode=") - at - 7);
}

class FocusAfterKeys : public ::testing::TestWithParam<Walk> {};

TEST_P(FocusAfterKeys, NamesTheChosenEntryAndNoOther) {
  const Walk& walk = GetParam();
  SKIP_IF_MISSING(walk.program);
  AtWork it(walk.program);
  ASSERT_TRUE(it.IsReady());
  // The caller has seen the screen on which it chooses.
  it.client()->Call("term_read", {{"session", "it"}, {"mode", "snapshot"}});
  for (const Walk::Step& step : walk.steps) {
    Reply reply = it.Send({step.keys});
    ASSERT_TRUE(it.Sees(step.shown));
    if (step.entry == kAny) continue;
    std::string focus = FocusOf(reply);
    for (int i = 0; i < static_cast<int>(walk.entries.size()); ++i) {
      EXPECT_EQ(focus.find(walk.entries[i]) != std::string::npos,
                i == step.entry)
          << "after " << step.keys << ": " << walk.entries[i] << "\n"
          << reply.header << "\n"
          << Join(Screen(it.client(), "it"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FocusAfterKeys, ::testing::ValuesIn(Walks()),
                         [](const ::testing::TestParamInfo<Walk>& row) {
                           return row.param.program.name;
                         });

}  // namespace
}  // namespace glasstty::testing

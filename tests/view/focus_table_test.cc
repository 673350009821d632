// Compares what FindFocus names on screens of real programs with what really
// has the focus.
//
// fixtures/focus has the screens, a file each, as record_focus.py records them:
// "PROGRAM: SITUATION"; then lines "-- truth TEXT", which names a part of what
// has the focus, or nothing; "-- other TEXT", which must not be named as well;
// "-- caret" if naming nothing is also right, because a caret shows the focus;
// "-- unseen" for screens that nobody looked at while the rules were made; and
// escaped bytes that draw the screen. NAME.plain.screen is NAME without
// colours. docs/focus.md lists them for readers: GLASSTTY_UPDATE=1 writes it
// anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/escape.h"
#include "testing/source_tree.h"
#include "view/focus_screen.h"

namespace glasstty::view {
namespace {

struct Recorded {
  std::string program, situation;
  bool plain = false;
  std::string truth;
  std::vector<std::string> others;
  bool caret = false, unseen = false;
  Texts said;

  bool Names(const std::string& text) const {
    return std::any_of(said.begin(), said.end(), [&](const std::string& one) {
      return one.find(text) != std::string::npos;
    });
  }
  bool IsRight() const {
    if (said.empty()) return truth.empty() || caret;
    return !truth.empty() && Names(truth) &&
           std::none_of(others.begin(), others.end(),
                        [this](const auto& other) { return Names(other); });
  }
};

Recorded ReadRecorded(const std::filesystem::path& path) {
  std::ifstream in(path);
  Recorded recorded;
  std::string line, bytes;
  std::getline(in, line);
  size_t colon = line.find(": ");
  recorded.program = line.substr(0, colon);
  recorded.situation = line.substr(colon + 2);
  recorded.plain = path.string().ends_with(".plain.screen");
  terminal::Size size;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string dashes, name, text;
    words >> dashes >> name >> std::ws;
    std::getline(words, text);
    if (dashes != "--") {
      bytes += UnescapeBytes(line);
    } else if (name == "size") {
      char by;
      std::istringstream(text) >> size.rows >> by >> size.cols;
    } else if (name == "truth") {
      recorded.truth = text;
    } else if (name == "other") {
      recorded.others.push_back(text);
    }
    recorded.caret |= name == "caret";
    recorded.unseen |= name == "unseen";
  }
  recorded.said = FindFocus(ScreenAfter(bytes, size));
  return recorded;
}

const std::vector<Recorded>& AllRecorded() {
  static const auto* all = [] {
    std::vector<std::filesystem::path> paths;
    for (const auto& file :
         std::filesystem::directory_iterator(SourcePath("fixtures/focus"))) {
      paths.push_back(file.path());
    }
    std::sort(paths.begin(), paths.end());
    auto* recorded = new std::vector<Recorded>;
    for (const auto& path : paths) recorded->push_back(ReadRecorded(path));
    return recorded;
  }();
  return *all;
}

double PercentRight() {
  const auto& all = AllRecorded();
  auto right = std::count_if(all.begin(), all.end(),
                             [](const Recorded& one) { return one.IsRight(); });
  return 100.0 * static_cast<double>(right) / static_cast<double>(all.size());
}

TEST(FocusTable, HasManyScreensOfManyPrograms) {
  std::set<std::string> programs;
  for (const Recorded& one : AllRecorded()) programs.insert(one.program);
  EXPECT_GE(programs.size(), 25u);
  EXPECT_GE(AllRecorded().size(), 100u);
}

TEST(FocusTable, NamesNothingThatHasNotTheFocus) {
  for (const Recorded& one : AllRecorded()) {
    EXPECT_TRUE(one.IsRight() || one.said.empty())
        << one.program << ", " << one.situation
        << (one.plain ? ", plain: " : ": ") << one.said[0] << " instead of "
        << one.truth;
  }
}

TEST(FocusTable, IsRightInNineteenOfTwentyScreens) {
  EXPECT_GE(PercentRight(), 95);
}

std::string Cell(const Recorded* one) {
  if (one == nullptr) return "";
  std::string cell;
  for (const std::string& text : one->said) {
    cell += (cell.empty() ? "`" : ", `") + text + "`";
  }
  std::string::size_type at = 0;
  while ((at = cell.find('|', at)) != std::string::npos) {
    cell.replace(at, 1, "\\|");
    at += 2;
  }
  if (cell.empty()) cell = "nothing";
  return one->IsRight() ? cell : cell + ", not `" + one->truth + "`";
}

std::string FocusDocument() {
  std::string text = absl::StrFormat(
      R"(# What a full-screen program points at

This page is generated from `fixtures/focus` by `tests/view/focus_table_test.cc`; do not edit it. Each cell shows what
`focus=` names on a screen of a real program, once with colours (`TERM=xterm-256color`) and once without
(`TERM=vt100`). A cell is empty where the program does not run that way. If something else has the focus in truth, the
cell says what. A caret in a text needs no `focus=`, because `cursor=` tells where it is.

The rules rely on what programs do to show people where they are. The first rule that applies decides:

1. The cursor stands on a button or in a field, which has another background than everything around it, or at an end
   of marked text.
2. A sign such as `❯` points at one entry, and other entries begin in the same column as that one.
3. One entry of a menu, or one tab, has another background than the others.
4. One check box or radio button looks different from the others, or one of two words with a slash between them
   (`Yes / No`) does.
5. The caret stands in a bar, or in a field with a label.

While a caret stands in a window over others, or in a field of it, nothing outside of that is named. If no rule
applies, nothing is named, because a wrong answer would be worse. So a choice that is shown only by bold
letters or by the colour of its text is not found. An entry is named with its check box; `[x] ` and `[ ] ` stand for
check marks that differ only in their colour. A menu of dialog is named together with the button that Enter presses.

Of these screens, %.0f %% are right, and none is misleading. Those with † were kept apart while the rules were made. 45 of
their 48 were right at once, and one was misleading (the menu of mcedit); the rules were amended after that.

| program | situation | in colour | without |
|---|---|---|---|
)",
      PercentRight());
  struct Row {
    const Recorded* coloured = nullptr;
    const Recorded* plain = nullptr;
  };
  std::map<std::string, Row> rows;
  for (const Recorded& one : AllRecorded()) {
    std::string name =
        one.program + " | " + one.situation + (one.unseen ? " †" : "");
    (one.plain ? rows[name].plain : rows[name].coloured) = &one;
  }
  for (const auto& [name, row] : rows) {
    text += "| " + name + " | " + Cell(row.coloured) + " | " + Cell(row.plain) +
            " |\n";
  }
  return text;
}

TEST(FocusDocument, ListsTheScreensOfTheTable) {
  std::string path = SourcePath("docs/focus.md");
  if (std::getenv("GLASSTTY_UPDATE") != nullptr) {
    std::ofstream(path) << FocusDocument();
  }
  std::ostringstream document;
  document << std::ifstream(path).rdbuf();
  EXPECT_EQ(document.str(), FocusDocument());
}

}  // namespace
}  // namespace glasstty::view

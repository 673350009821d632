// Tests that a shell's prompt repairs what programs leave behind. Each mode of
// the tables is found by querying it, so that a new mode without a rule in
// recovery.cc fails here.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

constexpr Size kScreen = {6, 20};
constexpr char kBegin[] = "\033]133;C;aid=n\a";
constexpr char kEnd[] = "\033]133;D;0;aid=n;line=new\a";

class Recovery : public ::testing::Test {
 protected:
  void Feed(std::string_view bytes) { terminal_->Feed(bytes); }
  // Returns what was repaired since the last call.
  std::string Repaired() {
    std::string names;
    for (const TerminalEvent& event : terminal_->TakeEvents()) {
      if (event.type == TerminalEvent::Type::kRepaired) names += event.text;
    }
    return names;
  }
  // Returns the answer to a program's question.
  std::string Ask(std::string_view question) {
    terminal_->TakeReplies();
    Feed(question);
    return terminal_->TakeReplies();
  }
  std::vector<std::string> Rows() {
    std::vector<std::string> rows;
    for (SnapshotRow& row : terminal_->TakeSnapshot().rows) {
      rows.push_back(std::move(row.text));
    }
    while (!rows.empty() && rows.back().empty()) rows.pop_back();
    return rows;
  }
  std::vector<std::string> Lines() {
    std::vector<std::string> lines;
    for (Line& line : terminal_->Lines(0, terminal_->end_line())) {
      lines.push_back(std::move(line.text));
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
  }

  std::unique_ptr<Terminal> terminal_ = *Terminal::Create(
      {.size = kScreen, .scrollback_rows = 100, .nonce = "n"});
};

using Texts = std::vector<std::string>;

// Returns the known ANSI modes (leader empty) or private modes.
std::vector<int> KnownModes(Terminal* terminal, const std::string& leader) {
  std::vector<int> known;
  for (int number = 1; number < 10'000; ++number) {
    terminal->TakeReplies();
    terminal->Feed(absl::StrFormat("\033[%s%d$p", leader, number));
    bool is_unknown = terminal->TakeReplies() ==
                      absl::StrFormat("\033[%s%d;0$y", leader, number);
    if (!is_unknown) known.push_back(number);
  }
  return known;
}

// Such a mode is an action, which leaves nothing that could be queried.
bool IsAction(int number) { return number == 1048; }

TEST_F(Recovery, EachModeOfTheTablesIsAsItWasWhenTheCommandBegan) {
  int count = 0;
  for (const std::string leader : {"", "?"}) {
    for (int number : KnownModes(terminal_.get(), leader)) {
      if (IsAction(number)) continue;
      const std::string mode = absl::StrFormat("\033[%s%d", leader, number);
      const std::string before = Ask(mode + "$p");
      bool is_on = before.ends_with(";1$y");
      Feed(kBegin);
      Feed(mode + (is_on ? "l" : "h"));
      EXPECT_NE(Ask(mode + "$p"), before) << leader << number;
      Feed(kEnd);
      EXPECT_EQ(Ask(mode + "$p"), before) << leader << number;
      EXPECT_NE(Repaired(), "") << leader << number;
      // The repair happens once: the next prompt has nothing to repair.
      Feed(kBegin);
      Feed(kEnd);
      EXPECT_EQ(Repaired(), "") << leader << number;
      ++count;
    }
  }
  EXPECT_GE(count, 20);
}

TEST_F(Recovery, AllModesAtOnceAreAsInAFreshTerminal) {
  const Modes fresh = terminal_->modes();
  std::string all;
  for (const std::string leader : {"", "?"}) {
    for (int number : KnownModes(terminal_.get(), leader)) {
      bool is_autowrap = leader == "?" && number == 7;
      all += absl::StrFormat("\033[%s%d%c", leader, number,
                             is_autowrap || number == 25 ? 'l' : 'h');
    }
  }
  Feed(kBegin);
  // Add settings that are not modes to those who ask.
  Feed(all + "\033=\033[4 q\033[>4;2m\033[>31u\033[=7u");
  EXPECT_NE(terminal_->modes(), fresh);
  Feed(kEnd);
  EXPECT_EQ(terminal_->modes(), fresh);
}

TEST_F(Recovery, WhatWasAskedOfTheKeyboardOnTheAlternateScreenEndsWithIt) {
  Feed("\033[>1u");
  Feed(kBegin);
  Feed("\033[?1049h\033[>5u\033[>7u");
  Feed(kEnd);
  EXPECT_EQ(Repaired(), "alternate screen");
  EXPECT_EQ(Ask("\033[?u"), "\033[?1u");
  Feed(kBegin);
  EXPECT_EQ(Ask("\033[?1049h\033[?u"), "\033[?0u");
}

struct Left {
  const char* bytes;
  const char* repaired;
};
// The remains of a program, with their name. Later output must look as on a
// fresh terminal.
constexpr Left kLeft[] = {
    {"\033[?1049h", "alternate screen"},
    {"\033[?1047h", "alternate screen"},
    {"\033[?47h", "alternate screen"},
    {"\033[?7l", "autowrap"},
    {"\033[2;4r\033[?6h", "origin mode, margins"},
    {"\033[3;5r\033[4;1H", "margins"},
    {"\033[?69h\033[5;9s\033[6;1H", "margins, side margins"},
    {"\033[4h", "insert mode"},
    {"\033[20h", "newline mode"},
    {"\033[?45h", "reverse wrap"},
    {"\033[?2026h", "synchronized output"},
    {"\033P=1s\033\\", "synchronized output"},
    {"\033(0", "character set"},
    {"\033)0\016", "character set"},
    {"\033*0\033n", "character set"},
    {"\033+A\033o", "character set"},
    {"\033[1;7;31m", "colours"},
    {"\033[8m", "colours"},
    {"\033[1\"q", "colours"},
    {"\033[3g", "tab stops"},
    {"\033[?5h", "reverse video"},
    {"\033[?25l", "cursor visibility"},
    {"\033[?12h", "cursor blinking"},
    {"\033[5 q", "cursor style"},
    {"\033[?1003h\033[?1006h", "mouse reports"},
    {"\033[?9h", "mouse reports"},
    {"\033[?1004h", "focus reports"},
    {"\033[?2004h", "bracketed paste"},
    {"\033[?1h", "cursor keys"},
    {"\033=", "keypad"},
    {"\033[>4;2m", "modified keys"},
    {"\033[>31u", "kitty keyboard"},
    {"\033[=1u", "kitty keyboard"},
    {"\033[>4;1f", "modified keys"},
    // The program was killed in the middle of its output.
    {"\033", "unfinished sequence"},
    {"\033[", "unfinished sequence"},
    {"\033[12;", "unfinished sequence"},
    {"\033(", "unfinished sequence"},
    {"\033]0;title", "unfinished sequence"},
    {"\033]8;;http://x", "unfinished sequence"},
    {"\033P+q", "unfinished sequence"},
    {"\033Pq#0;2;0;0;0", "unfinished sequence"},
    {"\033_Gf=100;", "unfinished sequence"},
    {"\033^secret", "unfinished sequence"},
    {"\033Xtext", "unfinished sequence"},
    {"\033]0;title\033", "unfinished sequence"},
};

class RecoveryOf : public Recovery,
                   public ::testing::WithParamInterface<Left> {};

TEST_P(RecoveryOf, OneThingIsNamedAndTheNextOutputIsAsInAFreshTerminal) {
  constexpr char kOutput[] =
      "lqk\ta\r\n0123456789abcdefghijkl\r\nx\r\n1\r\n2\r\n3\r\n4\r\n\b5";
  auto fresh = *Terminal::Create({.size = kScreen, .nonce = "n"});
  fresh->Feed(absl::StrCat(kBegin, "old\r\n", kEnd, kBegin, kOutput, kEnd));
  Feed(kBegin);
  Feed("old\r\n");
  // Restore the position, so that only the rest differs.
  Feed(absl::StrCat("\0337", GetParam().bytes));
  std::string_view bytes = GetParam().bytes;
  bool moves = bytes.find("r\033") != std::string_view::npos ||
               bytes.find("s\033") != std::string_view::npos;
  Feed(kEnd);
  EXPECT_EQ(Repaired(), GetParam().repaired);
  if (moves) Feed("\0338");
  Feed(kBegin);
  Feed(kOutput);
  Feed(kEnd);
  Snapshot expected = fresh->TakeSnapshot();
  Snapshot actual = terminal_->TakeSnapshot();
  for (size_t i = 0; i < expected.rows.size(); ++i) {
    EXPECT_EQ(actual.rows[i].text, expected.rows[i].text) << i;
    EXPECT_EQ(actual.rows[i].styles, expected.rows[i].styles) << i;
  }
  EXPECT_EQ(actual.cursor, expected.cursor);
  EXPECT_EQ(terminal_->modes(), fresh->modes());
  auto lines = terminal_->Lines(0, terminal_->end_line());
  auto expected_lines = fresh->Lines(0, fresh->end_line());
  ASSERT_EQ(lines.size(), expected_lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].text, expected_lines[i].text);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, RecoveryOf, ::testing::ValuesIn(kLeft));

TEST_F(Recovery, WhatStoodOnTheAlternateScreenBecomesLines) {
  Feed("first\r\n");
  Feed(kBegin);
  Feed("\033[?1049h\033[H~\r\nfile\r\nKilled\r\n");
  Feed(kEnd);
  EXPECT_EQ(Lines(), (Texts{"first", "~", "file", "Killed"}));
  EXPECT_EQ(terminal_->cursor(), (Cursor{.row = 4, .col = 0}));
  Feed("$ ");
  EXPECT_EQ(Lines().back(), "$ ");
}

TEST_F(Recovery, LinesThatScrolledOffTheAlternateScreenAreKept) {
  Feed(kBegin);
  Feed("\033[?1049h\033[H");
  Texts expected;
  for (int i = 1; i <= 30; ++i) {
    Feed(absl::StrFormat("line %d\r\n", i));
    expected.push_back(absl::StrFormat("line %d", i));
  }
  // This line takes two rows.
  Feed("0123456789abcdefghijkl");
  expected.push_back("0123456789abcdefghijkl");
  Feed(kEnd);
  EXPECT_EQ(Lines(), expected);
  EXPECT_EQ(terminal_->cursor().col, 2);
}

// Each line has a cluster of its own, so that the table of clusters is swept
// while the rows wait.
TEST_F(Recovery, OfManyLinesThatScrolledOffTheAlternateScreenTheLastAreKept) {
  constexpr int kLines = 3000;
  Feed(kBegin);
  Feed("\033[?1049h\033[H");
  Texts printed;
  for (int i = 0; i < kLines; ++i) {
    std::string line = absl::StrFormat("%d ", i);
    AppendUtf8(U'a' + static_cast<char32_t>(i / 100), &line);
    AppendUtf8(0x300 + static_cast<char32_t>(i % 100), &line);
    Feed(line + "\r\n");
    printed.push_back(line);
  }
  Feed(kEnd);
  Texts lines = Lines();
  ASSERT_GE(lines.size(), size_t{60});
  ASSERT_LT(lines.size(), size_t{kLines});
  EXPECT_EQ(lines, Texts(printed.end() - std::ssize(lines), printed.end()));
}

TEST_F(Recovery, TextBehindTheScreensCursorIsNotOverwritten) {
  Feed("prompt");
  Feed(kBegin);
  Feed("\033[?1049h\033[H1\r\n2\r\n3\033[1;1H");
  Feed(kEnd);
  Feed("$");
  EXPECT_EQ(Lines(), (Texts{"prompt", "1", "2", "3", "$"}));
}

TEST_F(Recovery, WhatComesStandsBelowAllText) {
  Feed("1\r\n2\r\n");
  Feed(kBegin);
  Feed("3\r\n4\033[2;3r");
  Feed(kEnd);
  EXPECT_EQ(Repaired(), "margins, cursor position");
  Feed("$");
  EXPECT_EQ(Rows(), (Texts{"1", "2", "3", "4", "$"}));
  // This also works with another screen in between, and if there is no room.
  Feed(kBegin);
  Feed("\r\n5\r\n6\033[2;3r\033[?1049h\033[Hup");
  Feed(kEnd);
  Feed("$");
  EXPECT_EQ(Lines(), (Texts{"1", "2", "3", "4", "$", "5", "6", "up$"}));
}

TEST_F(Recovery, WhatStoodBelowTheCursorBeforeStaysThere) {
  Feed("\0337\033[6;1Hstatus\0338");
  Feed(kBegin);
  Feed("1\r\n");
  Feed(kEnd);
  EXPECT_EQ(Repaired(), "");
  EXPECT_EQ(terminal_->cursor(), (Cursor{.row = 1, .col = 0}));
}

TEST_F(Recovery, AnEmptyAlternateScreenLeavesNothing) {
  Feed("text");
  Feed(kBegin);
  Feed("\033[?1049h\033[2J\033[5;5H");
  Feed(kEnd);
  Feed("!");
  EXPECT_EQ(Rows(), (Texts{"text!"}));
}

TEST_F(Recovery, AProgramThatLeavesTheScreenItselfLeavesNoLines) {
  Feed(kBegin);
  Feed("\033[?1049h\033[H1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n\033[?1049l");
  Feed(kEnd);
  EXPECT_EQ(Repaired(), "");
  EXPECT_EQ(Lines(), Texts());
}

TEST_F(Recovery, WhatTheUserSetIsLeftAlone) {
  Feed("\033[?5h\033[?25l\033[3 q\033[31m\033[3g\033[?1000h");
  const Modes chosen = terminal_->modes();
  const std::string colours = Ask("\033P$qm\033\\");
  Feed(kBegin);
  Feed("output");
  Feed(kEnd);
  EXPECT_EQ(Repaired(), "");
  EXPECT_EQ(terminal_->modes(), chosen);
  EXPECT_EQ(Ask("\033P$qm\033\\"), colours);
}

TEST_F(Recovery, WhatTheLineEditorSetIsLeftAloneWhenThePromptIsDrawnAgain) {
  constexpr char kDrawn[] =
      "\033]133;D;0;at=prompt;aid=n\a\033]133;A;aid=n\a$ \033]133;B;aid=n\a";
  Feed(kBegin);
  Feed(kEnd);
  Feed("\033[?2004h\033[?1h\033=\033[>1u");
  const Modes edits = terminal_->modes();
  Feed(kDrawn);
  EXPECT_EQ(terminal_->modes(), edits);
  // This also works if the hook that reports the end is lost.
  Feed("\033[?2004l\033[?1l\033>\033[<u");
  Feed(kBegin);
  Feed("\033[?7l\033[?5h\033[?2004h\033[?1h\033=\033[>1u");
  Feed(kDrawn);
  EXPECT_EQ(terminal_->modes(), edits);
  EXPECT_EQ(Repaired(), "autowrap, reverse video");
}

// fish and zsh reset it by hooks of their own, in an order of their own.
TEST_F(Recovery, WhatTheLineEditorTurnedOffAfterTheMarkStaysOff) {
  Feed("\033[?2004h");
  Feed(kBegin);
  Feed("\033[?2004l");
  Feed(kEnd);
  EXPECT_FALSE(terminal_->modes().bracketed_paste);
  EXPECT_EQ(Repaired(), "");
  // A second mark follows the modes that the shell has turned on.
  Feed("\033[?2004h");
  Feed(kEnd);
  EXPECT_TRUE(terminal_->modes().bracketed_paste);
}

TEST_F(Recovery, NoCommandBeginsWithWhatGarblesItsOutput) {
  // A background job did this at the prompt.
  Feed(kEnd);
  Feed("$ \033[?1049h\033[?7l");
  Feed(kBegin);
  EXPECT_EQ(Repaired(), "alternate screen, autowrap");
}

// readline of bash leaves this when a line fills its row.
TEST_F(Recovery, OutputIsNotMixedWithWhatTheLineEditorLeftInItsRow) {
  for (const std::string remains : {" ", "f '"}) {
    for (const std::string begin : {kBegin, "\033]133;C;run=7\a"}) {
      Feed("\033[2J\033[H$ a full row exactly" + remains + "\r");
      Feed(begin + "\ttab\r\n");
      EXPECT_EQ(Lines().back(), "\ttab") << remains << begin.substr(1);
    }
  }
}

// A person may have put it there.
TEST_F(Recovery, TextInFrontOfTheCursorStaysWhenACommandBegins) {
  Feed("text\033[3G" + std::string(kBegin) + "out\r\n");
  EXPECT_EQ(Lines().back(), "teout");
}

TEST_F(Recovery, MarksOfAnotherShellRepairNothing) {
  Feed("\033]133;C\a\033[?7l\033[?1049h\033]133;D;0\a");
  Feed("\033]133;C;aid=x\a\033]133;D;0;aid=x;line=new\a\033]133;A;aid=\a");
  EXPECT_TRUE(terminal_->modes().alternate_screen);
  EXPECT_EQ(Repaired(), "");
}

TEST_F(Recovery, ALineTypedWithANumberRepairsAtItsEnd) {
  Feed("\033]133;C;run=7\a\033[?1049h\033[?5h\033[?1000h");
  // The number is not its own.
  Feed("\033]133;D;0;run=8\a");
  EXPECT_TRUE(terminal_->modes().alternate_screen);
  Feed("\033]133;D;137;run=7\a");
  EXPECT_EQ(terminal_->modes(), Modes());
  EXPECT_EQ(Repaired(), "alternate screen, reverse video, mouse reports");
}

// The local shell is back; the remote one, in which the line was typed, is
// gone.
TEST_F(Recovery, TheOuterShellRepairsWhatALineInTheInnerOneLeft) {
  Feed(kBegin);
  Feed("\033]133;C;run=7\a\033[?1049h\033[?25l\033[?2004h");
  Feed(kEnd);
  EXPECT_EQ(terminal_->modes(), Modes());
  EXPECT_EQ(Repaired(), "alternate screen, cursor visibility, bracketed paste");
}

TEST_F(Recovery, AnotherWidthInBetweenKeepsTheTabStops) {
  Feed(kBegin);
  ASSERT_TRUE(terminal_->Resize({6, 40}).ok());
  Feed(kEnd);
  EXPECT_EQ(Repaired(), "");
  Feed(kBegin);
  Feed("\033[3g");
  ASSERT_TRUE(terminal_->Resize({6, 30}).ok());
  Feed(kEnd);
  EXPECT_EQ(Repaired(), "tab stops");
  Feed("\ta\tb");
  EXPECT_EQ(Rows(), (Texts{"        a       b"}));
}

TEST_F(Recovery, IsTheSameHoweverTheBytesWereCut) {
  std::string all = absl::StrCat(kBegin, "\033[?1049h\033[2;3r\033[?7l");
  for (int i = 0; i < 20; ++i) absl::StrAppend(&all, i, " some text\r\n");
  absl::StrAppend(&all, "\033]0;cut", kEnd, "$ ");
  for (char c : all) Feed({&c, 1});
  auto whole = *Terminal::Create(
      {.size = kScreen, .scrollback_rows = 100, .nonce = "n"});
  whole->Feed(all);
  EXPECT_EQ(Rows().back(), "$");
  auto lines = whole->Lines(0, whole->end_line());
  Texts texts;
  for (Line& line : lines) texts.push_back(std::move(line.text));
  EXPECT_EQ(Lines(), texts);
}

}  // namespace
}  // namespace glasstty::terminal

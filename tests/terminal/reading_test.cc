// Tests how a terminal is read: which lines it has, and what is new on its
// screen.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

std::vector<bool> Changed(const Terminal& terminal, uint64_t since) {
  std::vector<bool> changed;
  for (const SnapshotRow& row : terminal.TakeSnapshot(since).rows) {
    changed.push_back(row.changed);
  }
  return changed;
}

TEST(Reading, ATerminalThatWasNotFedHasOneEmptyLine) {
  auto terminal = *Terminal::Create({.size = {3, 5}});
  EXPECT_EQ(terminal->first_line(), 0);
  EXPECT_EQ(terminal->cursor_line(), 0);
  EXPECT_EQ(terminal->end_line(), 1);
  EXPECT_EQ(terminal->Lines(0, 9).size(), 1u);
  EXPECT_EQ(terminal->Lines(0, 9, terminal->lines_revision()).size(), 0u);
}

TEST(Reading, LinesAreThoseFromTheFirstUpToTheLast) {
  auto terminal = *Terminal::Create({.size = {2, 5}, .scrollback_rows = 9});
  terminal->Feed("0\r\n1\r\n2\r\n3\r\n4");
  struct Case {
    int64_t from, to;
    std::string numbers;
  };
  for (const auto& [from, to, numbers] : {
           Case{0, 9, "01234"},
           Case{0, 2, "01"},
           Case{1, 3, "12"},
           Case{2, 4, "23"},
           Case{3, 4, "3"},
           Case{4, 5, "4"},
           Case{2, 2, ""},
           Case{5, 9, ""},
       }) {
    std::string texts;
    for (const Line& line : terminal->Lines(from, to)) texts += line.text;
    EXPECT_EQ(texts, numbers) << from << " to " << to;
  }
}

TEST(Reading, TheTextBeforeTheCursorIsTheEndOfALongLine) {
  auto terminal = *Terminal::Create({.size = {2, 5}, .scrollback_rows = 9});
  terminal->Feed("x\r\n0123456789abcdefgh");
  EXPECT_EQ(terminal->TextBeforeCursor(100), "0123456789abcdefgh");
  EXPECT_EQ(terminal->TextBeforeCursor(9), "56789abcdefgh");
  EXPECT_EQ(terminal->TextBeforeCursor(1), "abcdefgh");
  terminal->Feed("\033[D");
  EXPECT_EQ(terminal->TextBeforeCursor(100), "0123456789abcdefg");
  terminal->Feed("\033[?1049h\033[Hother");
  EXPECT_EQ(terminal->TextBeforeCursor(100), "0123456789abcdefg");
  terminal->Feed("\033[?1049l\r\n$ ");
  EXPECT_EQ(terminal->TextBeforeCursor(100), "$ ");
}

// The rest of a line whose beginning is gone is still kept.
TEST(Reading, TheFirstLineIsTheOneOfTheFirstRow) {
  auto terminal = *Terminal::Create({.size = {2, 4}, .scrollback_rows = 0});
  terminal->Feed("0\r\nabcdefgh\r\n2");
  EXPECT_EQ(terminal->first_line(), 1);
  EXPECT_EQ(terminal->Lines(0, 9).front().text, "efgh");
  terminal->Feed("\r\n3");
  EXPECT_EQ(terminal->first_line(), 2);
}

TEST(Reading, RowsAreMarkedThatChangedSinceARevision) {
  auto terminal = *Terminal::Create({.size = {3, 5}});
  terminal->Feed("a\r\nb");
  uint64_t seen = terminal->revision();
  EXPECT_EQ(Changed(*terminal, seen), std::vector<bool>({false, false, false}));
  terminal->Feed("x");
  EXPECT_EQ(Changed(*terminal, seen), std::vector<bool>({false, true, false}));
  EXPECT_EQ(Changed(*terminal, 0), std::vector<bool>({true, true, true}));
  seen = terminal->revision();
  terminal->Feed("\r\n\n");
  EXPECT_EQ(Changed(*terminal, seen), std::vector<bool>({true, true, true}));
  // Here the erased row is the last change.
  terminal->Feed("\033[H");
  terminal->Feed("\033[2K");
  EXPECT_EQ(Changed(*terminal, terminal->revision()),
            std::vector<bool>({false, false, false}));
}

}  // namespace
}  // namespace glasstty::terminal

// Tests revisions, by which readers ask what has changed: a line with another
// text must have a new revision, however the change came about.
#include <gtest/gtest.h>

#include <string>

#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

Line LineOf(const Terminal& terminal, int64_t number) {
  return terminal.Lines(number, number + 1).at(0);
}

TEST(Revisions, ALineThatLosesAnErasedRowWithItsScreenHasANewOne) {
  auto terminal = *Terminal::Create({.size = {4, 5}});
  terminal->Feed("12345abc");
  uint64_t seen = terminal->lines_revision();
  // The row is erased but still continues the one above; then all rows are
  // saved.
  terminal->Feed("\033[1K\033c");
  Line line = LineOf(*terminal, 0);
  EXPECT_EQ(line.text, "12345");
  EXPECT_GT(line.revision, seen);
}

TEST(Revisions, ALineWhoseBlankEndIsErasedWithTheScreenHasANewOne) {
  auto terminal = *Terminal::Create({.size = {2, 2}, .scrollback_rows = 9});
  terminal->Feed("\r\n [ ");
  EXPECT_EQ(LineOf(*terminal, 1).text, " [ ");
  uint64_t seen = terminal->lines_revision();
  terminal->Feed("\r\n\033[2J");
  EXPECT_EQ(LineOf(*terminal, 1).text, " [");
  EXPECT_GT(LineOf(*terminal, 1).revision, seen);
}

TEST(Revisions, ReverseVideoChangesTheScreenAndABlinkingCursorDoesNot) {
  auto terminal = *Terminal::Create({.size = {2, 5}});
  uint64_t seen = terminal->revision();
  terminal->Feed("\033[?12h");
  EXPECT_EQ(terminal->revision(), seen);
  terminal->Feed("\033[?5h");
  EXPECT_GT(terminal->revision(), seen);
}

// zsh does this before its prompt.
TEST(Revisions, ARowOfBlanksWhoseContinuationIsErasedIsEmpty) {
  auto terminal = *Terminal::Create({.size = {4, 5}});
  terminal->Feed("      \r");
  EXPECT_EQ(LineOf(*terminal, 0).text, "      ");
  uint64_t seen = terminal->lines_revision();
  terminal->Feed("\033[K");
  EXPECT_EQ(LineOf(*terminal, 0).text, "");
  EXPECT_GT(LineOf(*terminal, 0).revision, seen);
}

TEST(Revisions, TheSameTabAgainChangesNothing) {
  auto terminal = *Terminal::Create({.size = {4, 20}});
  terminal->Feed("a\t");
  uint64_t revision = LineOf(*terminal, 0).revision;
  terminal->Feed("\033[2G\t");
  EXPECT_EQ(LineOf(*terminal, 0).revision, revision);
}

TEST(Revisions, TabsAtTheEdgesOfTwoSizesAreTheSameInTheScrollback) {
  auto terminal = *Terminal::Create({.size = {4, 16}, .scrollback_rows = 9});
  terminal->Feed("\t\t\t");
  ASSERT_TRUE(terminal->Resize({4, 21}).ok());
  terminal->Feed("\t\t\tx\t\t\033[4H");
  std::string text = LineOf(*terminal, 0).text;
  ASSERT_TRUE(terminal->Resize({2, 21}).ok());
  ASSERT_TRUE(terminal->Resize({4, 21}).ok());
  EXPECT_EQ(LineOf(*terminal, 0).text, text);
}

TEST(Revisions, AnEmptyRowThatIsCopiedFromStaysEmptyInTheScrollback) {
  auto terminal = *Terminal::Create({.size = {3, 4}, .scrollback_rows = 9});
  terminal->Feed("\033[3H\n\033[3;1;3;4;1;1;1;1$v\n\n\n");
  for (const Line& line : terminal->Lines(0, terminal->end_line())) {
    EXPECT_EQ(line.text, "") << line.number;
  }
}

// This includes the part that a narrower screen hides.
TEST(Revisions, ARowThatIsCopiedFromStaysAsItIs) {
  auto terminal = *Terminal::Create({.size = {2, 8}});
  terminal->Feed("abcdefgh");
  ASSERT_TRUE(terminal->Resize({2, 4}).ok());
  Line before = LineOf(*terminal, 0);
  EXPECT_EQ(before.text, "abcdefgh");
  terminal->Feed("\033[1;1;1;2;1;2;1;1$v");
  EXPECT_EQ(terminal->TakeSnapshot().rows[1].text, "ab");
  EXPECT_EQ(LineOf(*terminal, 0).text, before.text);
  EXPECT_EQ(LineOf(*terminal, 0).revision, before.revision);
}

// This includes the part that a region scrolled away, although it is above the
// region.
TEST(Revisions, ALineWhoseRestIsScrolledAwayHasANewOne) {
  auto terminal = *Terminal::Create({.size = {4, 5}});
  terminal->Feed("12345abc\r\nx\033[2;3r");
  uint64_t seen = terminal->lines_revision();
  terminal->Feed("\033[S");
  Line line = LineOf(*terminal, 0);
  EXPECT_EQ(line.text, "12345");
  EXPECT_GT(line.revision, seen);
}

TEST(Revisions, LinesThatARegionScrollsAllHaveNewOnes) {
  for (const std::string scroll : {"\033[S", "\033[T"}) {
    auto terminal = *Terminal::Create({.size = {5, 5}});
    terminal->Feed("a\r\nb\r\nc\r\nd\r\ne\033[2;4r");
    uint64_t seen = terminal->lines_revision();
    terminal->Feed(scroll);
    std::vector<int64_t> changed;
    for (const Line& line : terminal->Lines(0, 9, seen)) {
      changed.push_back(line.number);
    }
    EXPECT_EQ(changed, (std::vector<int64_t>{1, 2, 3}));
  }
}

TEST(Revisions, ErasingWhatIsBlankChangesNothing) {
  auto terminal = *Terminal::Create({.size = {3, 5}});
  terminal->Feed("abc");
  uint64_t lines = terminal->lines_revision(), screen = terminal->revision();
  terminal->Feed("\033[K\033[J\033[2X");
  EXPECT_EQ(terminal->lines_revision(), lines);
  EXPECT_EQ(terminal->revision(), screen);
}

TEST(Revisions, ErasingBehindTheTextOnceMoreChangesNothing) {
  auto terminal = *Terminal::Create({.size = {3, 8}});
  terminal->Feed("abc\033[3G\033[4X");
  uint64_t lines = terminal->lines_revision(), screen = terminal->revision();
  terminal->Feed("\033[5G\033[X\033[3G");
  EXPECT_EQ(terminal->lines_revision(), lines);
  EXPECT_EQ(terminal->revision(), screen);
}

// Otherwise every line that a program prints would be shown twice.
TEST(Revisions, TheLineFeedThatEndsALineChangesNothing) {
  auto terminal = *Terminal::Create({.size = {4, 5}});
  terminal->Feed("abc\r");
  uint64_t revision = LineOf(*terminal, 0).revision;
  terminal->Feed("\n");
  EXPECT_EQ(LineOf(*terminal, 0).revision, revision);
}

TEST(Revisions, OnlyLinesThatChangedSinceOneAreGiven) {
  auto terminal = *Terminal::Create({.size = {3, 5}, .scrollback_rows = 9});
  terminal->Feed("a\r\nb\r\nc\r\nd\r\ne");
  EXPECT_EQ(terminal->Lines(0, 9).size(), 5u);
  uint64_t seen = terminal->lines_revision();
  EXPECT_EQ(terminal->Lines(0, 9, seen).size(), 0u);
  terminal->Feed("\033[2;2Hx");
  std::vector<Line> changed = terminal->Lines(0, 9, seen);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].number, 3);
  EXPECT_EQ(changed[0].text, "dx");
  EXPECT_EQ(terminal->Lines(0, 9, changed[0].revision - 1).size(), 1u);
  EXPECT_EQ(terminal->Lines(0, 9, changed[0].revision).size(), 0u);
}

}  // namespace
}  // namespace glasstty::terminal

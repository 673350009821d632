// Tests single rows: what a reader is told of them, and what returns from the
// scrollback.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

// Each is row 1 to 4 of a small screen, then scrolled off it and back.
TEST(Rows, ComeBackFromTheScrollbackAsTheyWere) {
  for (const std::string row : {
           "x\u0301\t\u0301y",            // a mark after a tab
           "123456789012\t",              // a tab that cannot move
           "12345678901\u4e2d\t\t",       // two after a wide glyph
           "1234567890\u2764\t\uFE0F\t",  // in a glyph that becomes wide
           "\t", "a\t\t", "\tb",
           "1234567\tb",  // a tab of one column
       }) {
    auto terminal = *Terminal::Create({.size = {5, 12}, .scrollback_rows = 50});
    terminal->Feed(row + "\r\nsecond\r\n\n\n\n\033[5H");
    std::string text = terminal->Lines(0, 1).at(0).text;
    for (int rows : {2, 5, 2, 4, 3, 12}) {
      ASSERT_TRUE(terminal->Resize({rows, 12}).ok());
      EXPECT_EQ(terminal->Lines(0, 1).at(0).text, text) << rows;
    }
    EXPECT_EQ(terminal->Lines(1, 2).at(0).text, "second");
    std::string shown = terminal->TakeSnapshot().rows[0].text;
    EXPECT_EQ(shown.find('\t'), shown.npos) << "a screen has blanks for it";
  }
}

// Without a terminal every character has a cell, even a mark without a glyph.
TEST(Rows, OfOutputWithoutATerminalComeBackWithTheirMarks) {
  for (const std::string row :
       {"\u0301x", "\u0301", "a\t\u0301b", "\u0301\t", "a\u0080b", "\u0080"}) {
    auto terminal = *Terminal::Create(
        {.size = {5, 12}, .scrollback_rows = 50, .newlines = true});
    terminal->Feed(row + "\nsecond\n\n\n");
    for (int rows : {2, 5, 2, 5}) {
      ASSERT_TRUE(terminal->Resize({rows, 12}).ok());
      EXPECT_EQ(terminal->Lines(0, 1).at(0).text, row) << rows;
    }
  }
}

// A background alone is not worth keeping, but a tab is.
TEST(Rows, BelowTheCursorGoFirstFromASmallerScreenIfNothingIsPrintedThere) {
  for (const auto& [bytes, first] :
       {std::pair{"\033[41m\033[K", "top"}, {"\t", ""}, {"x", ""}}) {
    auto terminal = *Terminal::Create({.size = {4, 12}, .scrollback_rows = 9});
    terminal->Feed(std::string("top\033[3H") + bytes + "\033[2H");
    ASSERT_TRUE(terminal->Resize({2, 12}).ok());
    EXPECT_EQ(terminal->TakeSnapshot().rows[0].text, first) << bytes;
  }
}

TEST(Rows, OneTabIsALineOfATab) {
  auto terminal = *Terminal::Create({.size = {2, 20}});
  terminal->Feed("\t\r\nx");
  EXPECT_EQ(terminal->Lines(0, 1).at(0).text, "\t");
}

TEST(Rows, OfAWideGlyphThatWasCutOffNothingComesBack) {
  auto terminal = *Terminal::Create({.size = {2, 6}});
  terminal->Feed("abcd\u4e2d");
  ASSERT_TRUE(terminal->Resize({2, 5}).ok());
  terminal->Feed("\033[1;1HX");
  EXPECT_EQ(terminal->TakeSnapshot().rows[0].text, "Xbcd");
  EXPECT_EQ(terminal->Lines(0, 1).at(0).text, "Xbcd");
  ASSERT_TRUE(terminal->Resize({2, 6}).ok());
  EXPECT_EQ(terminal->TakeSnapshot().rows[0].text, "Xbcd");
}

// The row and its line are marked, whether they are on the screen or not.
TEST(Rows, AreConcealedWhenWordsOfTheirsCannotBeRead) {
  struct Case {
    std::string bytes;
    bool concealed;
  };
  for (const auto& [bytes, concealed] : {
           Case{"\033[8msecret", true},
           Case{"seen \033[8mhidden\033[28m", true},
           Case{"seen \033[8ma\033[28m b", false},
           Case{"\033[8m    \033[28mseen", false},
           Case{"\033[8m\033[K", false},
           Case{"\033[31;41msecret", true},
           Case{"\033[31mreadable", false},
           // The colours are equal, although their numbers are not.
           Case{"\033[30;48;5;16mhidden", true},
           Case{"\033[30;48;5;16;7mhidden", true},
           Case{"\033[38;5;233;40mhidden", true},
           Case{"\033[38;2;250;250;250;48;2;255;255;255mhidden", true},
           Case{"\033[93;43mhidden", true},
           Case{"\033[90;40mreadable", false},
           Case{"\033[38;2;90;90;90;48;2;0;0;0mreadable", false},
           // The terminal's own background is dark.
           Case{"\033[30mhidden", true},
           Case{"\033[38;5;234mhidden", true},
           Case{"\033[30;7mhidden", true},
           Case{"\033[1;30mreadable", false},
           Case{"\033[37;7mreadable", false},
           Case{"\033[47mreadable", false},
           Case{"\033[7mreadable", false},
           // Neither of these is a word.
           Case{"\033[8m|||||||| ────────", false},
           Case{"\033[42;32m████████████", false},
           // Pictures are made of half blocks, some of them in one colour.
           Case{"\033[38;2;10;20;30;48;2;10;20;30m▀▀▀▄▄▄▌▐▚█", false},
           Case{"\033[38;2;10;20;30;48;2;10;20;30m▀▀ secret", true},
       }) {
    auto terminal = *Terminal::Create({.size = {2, 20}, .scrollback_rows = 9});
    terminal->Feed(bytes);
    EXPECT_EQ(terminal->TakeSnapshot().rows[0].concealed, concealed) << bytes;
    EXPECT_EQ(terminal->Lines(0, 1).at(0).concealed, concealed) << bytes;
    terminal->Feed("\033[m\r\n\n\n");
    EXPECT_EQ(terminal->Lines(0, 1).at(0).concealed, concealed) << bytes;
  }
}

}  // namespace
}  // namespace glasstty::terminal

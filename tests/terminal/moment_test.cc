#include "terminal/moment.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/escape.h"
#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

std::vector<std::string> Moments(std::string_view bytes,
                                 const Modes& modes = {}) {
  std::vector<std::string> moments;
  while (!bytes.empty()) {
    size_t n = MomentLength(bytes, modes);
    moments.push_back(EscapeBytes(bytes.substr(0, n)));
    bytes.remove_prefix(n);
  }
  return moments;
}

using Strings = std::vector<std::string>;

TEST(Moment, LinesAreOneWhole) {
  EXPECT_EQ(Moments("one\r\ntwo\r\r\nthree\033[1mbold\033[0m\r\n").size(), 1u);
}

TEST(Moment, EndsWhereTheCursorGoesBackOverFreshText) {
  EXPECT_EQ(Moments("10%\r20%\r\033[Kdone\r\n"),
            (Strings{"10%", "\\r20%", "\\r\\e[Kdone\\r\\n"}));
  EXPECT_EQ(Moments("ab\b\b"), (Strings{"ab", "\\b\\b"}));
  EXPECT_EQ(Moments("x\033[2Jy\033[?1049hz"),
            (Strings{"x", "\\e[2Jy", "\\e[?1049hz"}));
}

TEST(Moment, GoesOnWhereNothingFreshCanBeTouched) {
  EXPECT_EQ(Moments("\r\033[K\033[2J\033[H").size(), 1u);
  EXPECT_EQ(Moments("a\033[Kb\033[Cc\033[Jd\033]0;title\007e").size(), 1u);
}

TEST(Moment, AScreenPaintedDownwardsIsOneWhole) {
  EXPECT_EQ(Moments("\033[1;1Hone\033[2;1Htwo\033[4;9Hfour\033[5dfive").size(),
            1u);
  EXPECT_EQ(Moments("\033[1;1Hone\033[2;1Htwo\033[1;1Hone"),
            (Strings{"\\e[1;1Hone\\e[2;1Htwo", "\\e[1;1Hone"}));
  // Line feeds move down as well.
  EXPECT_EQ(Moments("\033[1;1Ha\r\nb\033[2;1Hc"),
            (Strings{"\\e[1;1Ha\\r\\nb", "\\e[2;1Hc"}));
  EXPECT_EQ(Moments("\033[3;1Ha\r\nb\033[4;1Hc"),
            (Strings{"\\e[3;1Ha\\r\\nb", "\\e[4;1Hc"}));
}

// Tries all sequences, with several parameters.
TEST(Moment, EndsBeforeWhateverRemovesFreshText) {
  constexpr std::string_view kFresh = "\033[5;1Hneedle";
  auto removes = [&](const std::string& sequence) {
    auto terminal = Terminal::Create({.size = {24, 80}, .scrollback_rows = 0});
    (*terminal)->Feed(std::string(kFresh) + sequence);
    for (const SnapshotRow& row : (*terminal)->TakeSnapshot().rows) {
      if (row.text.find("needle") != std::string::npos) return false;
    }
    return true;
  };
  std::vector<std::string> sequences;
  for (char final = '0'; final <= '~'; ++final) {
    std::string end(1, final);
    sequences.push_back("\033" + end);
    sequences.push_back("\033#" + end);
    if (final < '@') continue;
    for (const char* leader : {"", "?", ">", "="}) {
      for (const char* parameters :
           {"", "1", "2", "70", "47", "1049", "1;1;24;80", "46;1;1;24;80",
            "6;1;24;80;1;5;1"}) {
        for (const char* between : {"", " ", "!", "\"", "$", "'", "*"}) {
          sequences.push_back(std::string("\033[") + leader + parameters +
                              between + end);
        }
      }
    }
  }
  int removing = 0;
  for (const std::string& sequence : sequences) {
    // The interpreter does not end within a string.
    if (std::string_view("]PX^_").find(sequence[1]) != std::string::npos ||
        !removes(sequence)) {
      continue;
    }
    ++removing;
    EXPECT_EQ(MomentLength(std::string(kFresh) + sequence, Modes()),
              kFresh.size())
        << EscapeBytes(sequence);
  }
  EXPECT_GT(removing, 20);
}

// Blanks cover earlier text, and may have a background.
TEST(Moment, BlanksAreTextToo) {
  EXPECT_EQ(Moments("  \b\bx"), (Strings{"  ", "\\b\\bx"}));
}

TEST(Moment, ASequenceIsNoTextWhateverEndsIt) {
  EXPECT_EQ(Moments("\033]0;title\033\\\b\b").size(), 1u);
  EXPECT_EQ(Moments("\033]0;title\a\b\b").size(), 1u);
  // ICH has the lowest final byte.
  EXPECT_EQ(Moments("\033[2@x\by"), (Strings{"\\e[2@x", "\\by"}));
}

TEST(Moment, OnlyModesThatShowAnotherScreenOrMoveTheCursorEndIt) {
  for (const char* mode : {"25", "7", "1", "2004", "1000"}) {
    std::string bytes = std::string("a\033[?") + mode + "hb";
    EXPECT_EQ(Moments(bytes).size(), 1u) << mode;
  }
  for (const char* mode : {"47", "1047", "1048", "1049"}) {
    std::string bytes = std::string("a\033[?") + mode + "hb";
    EXPECT_EQ(Moments(bytes).size(), 2u) << mode;
  }
}

TEST(Moment, LineFeedsFromAnUnknownRowLeadToNoneThatIsKnown) {
  EXPECT_EQ(Moments("one\r\ntwo\033[5;1H   "),
            (Strings{"one\\r\\ntwo", "\\e[5;1H   "}));
}

TEST(Moment, ARowIsNotPaintedTwiceUnseen) {
  EXPECT_EQ(Moments("\033[5;5Hflash\033[5;5H     "),
            (Strings{"\\e[5;5Hflash", "\\e[5;5H     "}));
}

TEST(Moment, BeginsAndEndsWithAFrame) {
  EXPECT_EQ(Moments("a\033[?2026hb\rc\033[?2026ld"),
            (Strings{"a", "\\e[?2026hb\\rc\\e[?2026l", "d"}));
}

TEST(Moment, OnTheAlternateScreenEndsBeforeManyLinesHaveScrolledAway) {
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "x\r\n";
  EXPECT_EQ(Moments(lines).size(), 1u);
  Modes modes;
  modes.alternate_screen = true;
  EXPECT_EQ(Moments(lines, modes).size(), 3u);
  std::string seven = lines.substr(0, 7 * 3);
  EXPECT_EQ(Moments(seven, modes).size(), 1u);
  EXPECT_EQ(Moments(seven + "x\r\n", modes),
            (Strings{EscapeBytes(seven + "x\r"), "\\n"}));
  // Lines that passed before anything was printed contain nothing that could be
  // missed.
  EXPECT_EQ(Moments(std::string(8, '\n') + seven, modes).size(), 1u);
}

TEST(Moment, IsNeverEmptyWhateverTheBytes) {
  for (const char* bytes : {"\033", "\033[", "\033[12", "\033]0;cut", "\r",
                            "x\033[", "\b\b\b", "\033\033\033[H"}) {
    std::string all;
    for (const std::string& moment : Moments(bytes)) {
      EXPECT_NE(moment, "");
      all += moment;
    }
    EXPECT_EQ(all, EscapeBytes(bytes));
  }
}

TEST(FrameLength, ReachesToTheEndOfTheFirstFrameOrOfAll) {
  EXPECT_EQ(FrameLength("a\033[?2026hb\033[?2026lc\033[?2026l"), 18u);
  EXPECT_EQ(FrameLength("a\033[?25;2026lb"), 12u);
  EXPECT_EQ(FrameLength("a\033[?2026hb"), 10u);
  EXPECT_EQ(FrameLength("2026"), 4u);
}

std::string Repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(AffordableLength, EndsBehindAFewSequencesThatFillALargeScreen) {
  constexpr Size kLarge = {500, 400};
  for (std::string_view fill : {"\033#8", "\033[65;1;1;999;999$x", "\033[$z"}) {
    std::string all = Repeated(fill, 1000);
    size_t length = AffordableLength(all, kLarge);
    EXPECT_EQ(length % fill.size(), 0u) << EscapeBytes(fill);
    EXPECT_GT(length, 0u);
    EXPECT_LE(length, 20 * fill.size()) << EscapeBytes(fill);
  }
}

TEST(AffordableLength, IsEverythingForOrdinaryOutputAndSmallScreens) {
  constexpr Size kLarge = {500, 400};
  for (std::string_view part :
       {"text\r\n", "\033[1;31mred\033[m", "\033]0;title\a", "\033", "\033["}) {
    std::string all = Repeated(part, 1000);
    EXPECT_EQ(AffordableLength(all, kLarge), all.size()) << EscapeBytes(part);
  }
  EXPECT_EQ(AffordableLength(Repeated("\033#8", 100), {24, 80}), 300u);
  EXPECT_EQ(AffordableLength("\033#8", kLarge), 3u);
}

}  // namespace
}  // namespace glasstty::terminal

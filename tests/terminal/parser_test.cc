// Tests how unusual bytes are read. Ordinary sequences are golden screens
// (fixtures/screens).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/escape.h"
#include "terminal/charsets.h"
#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

Snapshot Shown(std::string_view bytes) {
  auto terminal = *Terminal::Create({.size = {2, 20}});
  terminal->Feed(bytes);
  return terminal->TakeSnapshot();
}

// Each maximal part with which no character can begin becomes one U+FFFD: an
// overlong slash or a surrogate in three bytes becomes three.
TEST(Parser, TakesNoIllFormedUtf8ForACharacter) {
  struct Case {
    std::string bytes;
    std::string text;
  };
  const std::string bad = "\uFFFD";
  const std::string bad2 = bad + bad, bad3 = bad2 + bad;
  for (const auto& [bytes, text] : {
           Case{"a\xE0\x80\xAF"
                "bc",
                "a" + bad3 + "bc"},
           Case{"a\xED\xA0\x80"
                "bc",
                "a" + bad3 + "bc"},
           Case{"a\xC1\xBF"
                "bc",
                "a" + bad2 + "bc"},
           Case{"a\xC3(bc", "a" + bad + "(bc"},
           Case{"a\xE4\xB8(bc", "a" + bad + "(bc"},
           Case{"a\xC2\x80"
                "bc",
                "a" + bad + "bc"},
           Case{"a\xC2\x9F"
                "bc",
                "a" + bad + "bc"},
       }) {
    EXPECT_EQ(Shown(bytes).rows[0].text, text) << EscapeBytes(bytes);
  }
}

TEST(Parser, TakesTheFirstAndTheLastOfEachLength) {
  for (const std::string text :
       {"\u00A1", "\u07C0", "\u0E01", "\uD7A3", "\uE000", "\uFFFD",
        "\U00010000", "\U0010FFFD"}) {
    EXPECT_EQ(Shown("a" + text + "bc").rows[0].text, "a" + text + "bc");
  }
}

// The last of them is still obeyed, the next one is not.
TEST(Parser, KeepsThirtyTwoParametersOfAnSgr) {
  std::string zeros;
  for (int i = 0; i < 31; ++i) zeros += "0;";
  SnapshotRow row = Shown("\033[" + zeros + "1mx").rows[0];
  ASSERT_EQ(row.styles.size(), 1u);
  EXPECT_EQ(row.styles[0].style.attributes, kBold);
  row = Shown("\033[" + zeros + "0;1mx").rows[0];
  EXPECT_EQ(row.text, "x");
  EXPECT_EQ(row.styles.size(), 0u);
}

TEST(Parser, GoesOnBehindASequenceThatWasCancelled) {
  for (const std::string cancelled :
       {"\033[1\030", "\033[1;\032", "\033[?1\033[2m", "\033[1 \030"}) {
    EXPECT_EQ(Shown("ab" + cancelled + "cd").rows[0].text, "abcd")
        << EscapeBytes(cancelled);
  }
}

// In an SGR, ECMA-48 defines it so.
TEST(Parser, TakesAnEmptyNumberForZero) {
  struct Case {
    std::string sgr;
    Style style;
  };
  for (const auto& [sgr, style] : {
           Case{"1;", {}},
           Case{"4;4:", {}},
           Case{"38;2;9;;7", {.foreground = kRgbColor | 0x090007}},
           Case{"48;2;;9;", {.background = kRgbColor | 0x000900}},
           Case{"38;5;", {.foreground = kPaletteColor}},
           Case{"38:5:", {.foreground = kPaletteColor}},
       }) {
    std::vector<StyleRun> styles = Shown("\033[" + sgr + "mx").rows[0].styles;
    EXPECT_EQ(styles.empty() ? Style() : styles[0].style, style) << sgr;
  }
}

TEST(Charsets, LineDrawingBeginsAtTheUnderscore) {
  Charsets charsets;
  charsets.sets[0] = '0';
  EXPECT_EQ(charsets.Map('^'), U'^');
  EXPECT_EQ(charsets.Map('_'), U'\u00A0') << "a blank on the VT220";
  EXPECT_EQ(charsets.Map('~'), U'\u00B7');
}

}  // namespace
}  // namespace glasstty::terminal

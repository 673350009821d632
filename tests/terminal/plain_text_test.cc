// Tests output without a terminal: it is shown as it was written, except for
// progress bars.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>
#include <random>
#include <string>

#include "base/escape.h"
#include "support/text.h"
#include "terminal/clusters.h"
#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

std::unique_ptr<Terminal> Fed(std::string_view bytes, size_t piece = 1000) {
  auto terminal = *Terminal::Create(
      {.size = {6, 20}, .scrollback_rows = 100'000, .newlines = true});
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    terminal->Feed(bytes.substr(0, piece));
  }
  return terminal;
}

// Returns all lines, each with the newline that ends it.
std::string Text(const Terminal& terminal) {
  std::string text;
  for (const Line& line :
       terminal.Lines(terminal.first_line(), terminal.end_line())) {
    text += (line.number > terminal.first_line() ? "\n" : "") + line.text;
  }
  return text;
}

std::string TextOf(std::string_view bytes) {
  std::string whole = Text(*Fed(bytes));
  EXPECT_EQ(Text(*Fed(bytes, 1)), whole);
  EXPECT_EQ(Fed(bytes, 1)->offset(), bytes.size());
  return whole;
}

TEST(PlainText, ShowsControlsAndSequencesAsTheyWereWritten) {
  for (const std::string bytes :
       {"plain\ntext\n", "\033[31mred\x1b[0m\n", "page\f\vbell\a back\b \x7f\n",
        "\x1b]0;title\a\x1b[?1049h\x1b[2J\x1b[H\033c\016\n", "\tx\ty \t\n  \n",
        "\u0080\u009b31m\n", "\u07c0\u07c9\n",
        "\u00e9\u0e01\u20ac\uFFFD\U0001F600\U0010FFFD\n"}) {
    EXPECT_EQ(TextOf(bytes), bytes);
  }
}

TEST(PlainText, StandsOnTheScreenAsItWasWritten) {
  for (const std::string line :
       {"\x1b[31mred\x7f", "\u0080\u009b31m", "\u00a0."}) {
    EXPECT_EQ(Fed(line)->TakeSnapshot().rows[0].text, line);
  }
}

TEST(PlainText, KeepsInvisibleCharactersAndEveryMark) {
  std::string marks = "e";
  for (int i = 0; i < 20; ++i) marks += "\u0301";
  for (const std::string& bytes : {std::string("\uFEFFbom\n\u200Bx\n"),
                                   marks + "\n", std::string("a\t\u0301b\n")}) {
    EXPECT_EQ(TextOf(bytes), bytes);
  }
}

// Rows leave the screen and return to it, as records in between.
TEST(PlainText, IsTheSameAfterAnySizes) {
  const std::string pieces[] = {"a",        "bc",
                                "  ",       "\t",
                                "\n",       "\r",
                                "\b",       "\x7f",
                                "\x1b[31m", "\u0301",
                                "\u200B",   "\u200D\u5B57",
                                "\u009b",   std::string(1, '\0')};
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string bytes;
    for (int i = 0; i < 40; ++i) {
      if (random() % 12 == 0) bytes += "e\u0301\u0301\u0301\u0301\u0301\u0301";
      bytes += pieces[random() % std::size(pieces)];
    }
    auto terminal = Fed(bytes);
    std::string text = Text(*terminal);
    for (int i = 0; i < 4; ++i) {
      int rows = 2 + static_cast<int>(random() % 11);
      ASSERT_TRUE(terminal->Resize({rows, 20}).ok());
      ASSERT_EQ(Text(*terminal), text) << EscapeBytes(bytes);
    }
  }
}

TEST(PlainText, SpellsOutWhatIsNotUtf8) {
  EXPECT_EQ(TextOf("a\xff\xc3(\xe4\xb8\n\xed\xa0\x80.\xc0\x80"),
            "a\\xff\\xc3(\\xe4\\xb8\n\\xed\\xa0\\x80.\\xc0\\x80");
  EXPECT_EQ(TextOf(std::string_view("a\0b\n", 4)), "a\\x00b\n");
}

TEST(PlainText, WaitsForTheRestOfACharacterOnlyWhileItCanCome) {
  EXPECT_EQ(Fed("a\xe4")->TakeSnapshot().rows[0].text, "a");
  EXPECT_EQ(Fed("a\xe4\xb8")->TakeSnapshot().rows[0].text, "a");
  EXPECT_EQ(Fed("a\xe4(")->TakeSnapshot().rows[0].text, "a\\xe4(");
}

TEST(PlainText, KeepsTheLineEndsOfDosFiles) {
  EXPECT_EQ(TextOf("a\r\n\r\nb \t\r\r\nc\r\n"), "a\r\n\r\nb \t\r\r\nc\r\n");
}

// Returns the most memory that the tests have taken so far, in KiB.
int64_t MostMemory() {
  rusage usage = {};
  EXPECT_EQ(getrusage(RUSAGE_SELF, &usage), 0);
  return usage.ru_maxrss;
}

TEST(PlainText, CountsReturnsOnlyAsFarAsALineKeepsThem) {
  const std::string returns(1 << 20, '\r');
  auto terminal = Fed("");
  int64_t before = MostMemory();
  for (int i = 0; i < 64; ++i) terminal->Feed(returns);
  terminal->Feed("x\n" + returns + "\n");
  EXPECT_LT(MostMemory(), before + (32 << 10));
  EXPECT_EQ(Text(*terminal), "x\n" + std::string(255, '\r') + "\n");
}

TEST(PlainText, OfAProgressBarTheLastStateIsLeft) {
  EXPECT_EQ(TextOf("10%\r20%\r100%\nnext\n"), "100%\nnext\n");
  EXPECT_EQ(TextOf("\r 10%\r 20%\x1b[K\ndone\x1b[m\n"), " 20%\ndone\x1b[m\n");
}

TEST(PlainText, ALineThatTurnsOutToBeABarIsObeyedFromItsBeginning) {
  EXPECT_EQ(TextOf("before\n\x1b[2K\x1b[32mlong enough to wrap 10%\x1b[0m\r"
                   "\x1b[A\x1b[2K\x1b[Jdone\nafter\n"),
            "before\ndone\nafter\n");
  // The written form of the line is what a terminal would have shown.
  EXPECT_EQ(TextOf("\x1b[1mab\rc\n"), "cb\n");
  EXPECT_EQ(TextOf("abc\xff\rx\n"), "xbc\uFFFD\n");
}

// Rows above the screen cannot be taken back.
TEST(PlainText, ALineThatHasLeftTheScreenStaysWhenItTurnsOutToBeABar) {
  std::string line = "\x1b[1m";
  for (int i = 0; i < 12; ++i) line += "twenty columns wide.";
  // The last row is "ide.10%" when the return comes.
  EXPECT_EQ(TextOf("before\n" + line + "10%\r20%\nafter\n"),
            "before\n" + line.substr(0, line.size() - 4) + "20%.10%\nafter\n");
}

TEST(PlainText, AMarkJoinsTheGlyphBeforeItUnlessThatIsFull) {
  for (const std::string glyph : {"e", "\u00e9", " ", "\u00a0"}) {
    std::string full = glyph;
    for (int i = 0; i < int{ClusterTable::kMaxAccents}; ++i) full += "\u0301";
    EXPECT_EQ(Fed(full + "x")->TakeSnapshot().cursor.col, 2) << full;
    EXPECT_EQ(Fed(full + "\u0301x")->TakeSnapshot().cursor.col, 3) << full;
  }
}

TEST(PlainText, NothingThatABarBeginsReachesTheNextLine) {
  EXPECT_EQ(TextOf("1\r2\x1b[7m\x1b[?1049h\x1b]0;never ended\nnext\n"),
            "2\nnext\n");
  EXPECT_EQ(TextOf("1\r2\x1b[20l\nnext\n"), "2\nnext\n");
  EXPECT_EQ(TextOf("x\r\x1b(0\x1b[?1049h\nhello\n"), "x\nhello\n");
}

TEST(PlainText, EveryLineComesBackWhateverItsLength) {
  std::mt19937 random(7);
  std::string bytes;
  for (int line = 0; line < 100; ++line) {
    for (uint32_t i = random() % 60; i > 0; --i) {
      static const char* const kPieces[] = {
          "a", " ", "\t", "漢", "e\u0301", "\x1b[1m", "\a", "word "};
      bytes += kPieces[random() % std::size(kPieces)];
    }
    bytes += "\n";
  }
  EXPECT_TRUE(TextOf(bytes) == bytes);
}

}  // namespace
}  // namespace glasstty::terminal

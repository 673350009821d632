// Tests that time and memory stay bounded, however much comes.
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

std::unique_ptr<Terminal> Make(int rows, int cols, int scrollback = 1000) {
  Terminal::Options options;
  options.size = {rows, cols};
  options.scrollback_rows = scrollback;
  return std::move(*Terminal::Create(options));
}

std::string Repeat(std::string_view text, int count) {
  std::string out;
  out.reserve(text.size() * static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

constexpr int kMillion = 1'000'000;
// The memory of a terminal of 24x80 with a full scrollback of 1,000 short rows.
constexpr size_t kModest = 512 * 1024;

// Otherwise the sequence could consume text of any length.
TEST(Bounds, TextWithinASequenceEndsIt) {
  for (const char* begun : {"\033[1;3", "\033", "\033("}) {
    for (const char* byte : {"\x80", "\xC3\xA4", "\xFF"}) {
      auto terminal = Make(2, 20);
      terminal->Feed(std::string(begun) + byte + "1mx");
      std::string row = terminal->TakeSnapshot().rows[0].text;
      EXPECT_TRUE(row.ends_with("1mx")) << row;
      EXPECT_NE(row, "1mx");
    }
  }
}

TEST(Bounds, AMillionMarksOnOneGlyph) {
  auto terminal = Make(24, 80);
  terminal->Feed("e" + Repeat("\u0301", kMillion) + "x");
  EXPECT_EQ(terminal->cursor().col, 2);
  EXPECT_LT(terminal->TakeSnapshot().rows[0].text.size(), 20u);
  EXPECT_LT(terminal->MemoryBytes(), kModest);
}

TEST(Bounds, AMillionMarksOneFeedEach) {
  auto terminal = Make(24, 80);
  terminal->Feed("e");
  for (int i = 0; i < kMillion; ++i) terminal->Feed("\u0301");
  EXPECT_EQ(terminal->cursor().col, 1);
}

TEST(Bounds, ClustersWithoutEnd) {
  auto terminal = Make(24, 80, 0);
  std::string stream;
  for (char32_t base = 'a'; base <= 'z'; ++base) {
    for (char mark1 = '\x80'; mark1 < '\x90'; ++mark1) {
      for (char mark2 = '\x80'; mark2 < '\xA0'; ++mark2) {
        stream += static_cast<char>(base);
        stream += '\xCC';
        stream += mark1;
        stream += '\xCC';
        stream += mark2;
      }
    }
  }
  for (int i = 0; i < 20; ++i) terminal->Feed(stream);
  EXPECT_LT(terminal->MemoryBytes(), kModest);
}

// A cluster on the screen stays there while others come and go.
TEST(Bounds, TheFirstClusterOutlivesAllThatFollow) {
  auto terminal = Make(3, 10, 0);
  terminal->Feed("a\u0301b\u0302\r\n");
  for (char mark = '\x80'; mark < '\xB0'; ++mark) {
    for (char base = ' ' + 1; base <= '~'; ++base) {
      terminal->Feed(std::string("\r") + base + "\xCC" + mark);
    }
  }
  EXPECT_EQ(terminal->TakeSnapshot().rows[0].text, "a\u0301b\u0302");
}

// They do not move the cursor, so nothing else would end them.
TEST(Bounds, TabsInTheLastColumn) {
  auto terminal = Make(2, 9);
  terminal->Feed("x" + Repeat("\t", 2000));
  EXPECT_EQ(terminal->Lines(0, 1).at(0).text, "x" + Repeat("\t", 1001));
}

// Each of these cells takes as many bytes as a cell can.
TEST(Bounds, TabsInAndBehindAGlyphThatBecomesWide) {
  auto terminal = Make(40, 120);
  std::string full = "\U0001F321" + Repeat("\U000E0101", 9);
  std::string row = Repeat(full, 118) + "\u2764";
  std::string tabs = Repeat("\t", 1000);
  terminal->Feed(row + tabs + "\uFE0F" + tabs + Repeat("\r\n", 45));
  EXPECT_EQ(terminal->Lines(0, 1).at(0).text, row + "\uFE0F" + tabs + tabs);
}

TEST(Bounds, MemoryIsCounted) {
  auto small = Make(24, 80, 0), large = Make(48, 160, 0);
  size_t cells = 24 * 80 * sizeof(Cell);
  EXPECT_GT(small->MemoryBytes(), cells);
  EXPECT_GT(large->MemoryBytes(), small->MemoryBytes() + 3 * cells);
  size_t before = small->MemoryBytes();
  small->Feed("\033[?1049h");
  EXPECT_GE(small->MemoryBytes(), before + cells);
  small->Feed("\033[?1049l");
  EXPECT_LT(small->MemoryBytes(), before + cells);
}

TEST(Bounds, AScrollbackHoldsAsManyRowsAsWereAskedFor) {
  for (int rows : {0, 1, 2, 3}) {
    auto terminal = Make(2, 10, rows);
    terminal->Feed("0\r\n1\r\n2\r\n3\r\n4");
    EXPECT_EQ(terminal->first_line(), 3 - rows) << rows;
    EXPECT_EQ(terminal->Lines(0, 5).front().text, std::to_string(3 - rows));
  }
}

TEST(Bounds, AMillionQuestionsWithNobodyReading) {
  auto terminal = Make(24, 80);
  terminal->Feed(Repeat("\x1b[c", kMillion));
  EXPECT_LE(terminal->TakeReplies().size(), 4096u);
  EXPECT_GT(terminal->drops().replies, 990'000u);
  terminal->Feed("\x1b[5n");
  EXPECT_EQ(terminal->TakeReplies(), "\x1b[0n");
}

TEST(Bounds, RepliesAreKeptToTheLastByteThatFits) {
  auto terminal = Make(24, 80);
  terminal->Feed(Repeat("\x1b[5n", 1024));
  EXPECT_EQ(terminal->drops().replies, 0u);
  terminal->Feed("\x1b[5n");
  EXPECT_EQ(terminal->drops().replies, 1u);
  EXPECT_EQ(terminal->TakeReplies(), Repeat("\x1b[0n", 1024));
}

TEST(Bounds, AMutedTerminalOwesNothing) {
  auto terminal = Make(24, 80);
  terminal->MuteReplies(true);
  terminal->Feed("\x1b[c");
  terminal->MuteReplies(false);
  EXPECT_EQ(terminal->TakeReplies(), "");
}

TEST(Bounds, AStringWithoutEnd) {
  auto terminal = Make(24, 80);
  size_t before = terminal->MemoryBytes();
  terminal->Feed("\x1b]133;");
  std::string part(65536, 'A');
  for (int i = 0; i < 15; ++i) terminal->Feed(part);
  EXPECT_LT(terminal->MemoryBytes(), before + 64 * 1024);
  EXPECT_EQ(terminal->TakeSnapshot().rows[0].text, "");
  // It is abandoned, so the next bytes are text again.
  for (int i = 0; i < 2; ++i) terminal->Feed(part);
  EXPECT_NE(terminal->TakeSnapshot().rows[0].text, "");
  EXPECT_EQ(terminal->drops().strings, 1u);
}

TEST(Bounds, AMillionBells) {
  auto terminal = Make(24, 80);
  terminal->Feed(std::string(kMillion, '\a'));
  EXPECT_EQ(terminal->TakeEvents().size(), 1024u);
  // After the events were taken, as many are kept again.
  terminal->Feed(std::string(2000, '\a'));
  EXPECT_EQ(terminal->TakeEvents().size(), 1024u);
}

// Each sequence prints almost ten thousand glyphs before the old ones.
TEST(Bounds, AGlyphThatIsInsertedThousandsOfTimesAgainAndAgain) {
  auto terminal = Make(200, 1000, 10);
  auto begin = std::chrono::steady_clock::now();
  terminal->Feed("\x1b[4h" + Repeat("x\x1b[9999b", 5000));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_EQ(terminal->TakeSnapshot().rows[0].text, std::string(1000, 'x'));
}

TEST(Bounds, ThreeMebibytesInOneFeed) {
  auto terminal = Make(24, 80);
  terminal->Feed(std::string(3 << 20, 'a'));
  EXPECT_LT(terminal->MemoryBytes(), kModest);
  EXPECT_EQ(terminal->cursor_line(), 0) << "all one line";
}

TEST(Bounds, TheScrollbackKeepsItsRowsAndItsNumbers) {
  auto terminal = Make(24, 80, 100);
  for (int i = 0; i < 5000; ++i) terminal->Feed("line\r\n");
  EXPECT_EQ(terminal->end_line(), 5001);
  EXPECT_EQ(terminal->first_line(), 5001 - 24 - 100);
  std::vector<Line> lines = terminal->Lines(4000, 4999);
  EXPECT_EQ(lines.front().number, terminal->first_line());
  EXPECT_EQ(lines.back().number, 4998);
}

TEST(Bounds, DenseStylesCannotFillTheMemory) {
  auto terminal = Make(24, 1000 / 8, 10'000);
  std::string row;
  for (int i = 0; i < 120; ++i) {
    row += "\x1b[38;2;1;2;" + std::to_string(i) + "mx";
  }
  for (int i = 0; i < 12'000; ++i) terminal->Feed(row + "\r\n");
  EXPECT_LT(terminal->MemoryBytes(), 12u << 20);
}

TEST(Bounds, ManyRandomSizesUnderOutput) {
  auto terminal = Make(24, 80);
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    Size size = {2 + static_cast<int>(random() % 60),
                 2 + static_cast<int>(random() % 140)};
    ASSERT_TRUE(terminal->Resize(size).ok());
    terminal->Feed(
        "\x1b[3;9r\x1b[?1049h text \u4E2D\x1b[9;9H\x1b"
        "7\n");
    if (i % 3 == 0)
      terminal->Feed(
          "\x1b[?1049l\r\nmore\x1b"
          "8x");
  }
  ASSERT_TRUE(terminal->Resize({24, 80}).ok());
  EXPECT_LT(terminal->MemoryBytes(), 4u << 20);
}

TEST(Bounds, ARegressionInputAtEverySize) {
  for (int rows : {2, 3, 24, 499, 500}) {
    for (int cols = 2; cols <= 1000; cols += cols < 130 ? 1 : 87) {
      if (rows * cols > 200'000) continue;
      auto terminal = Make(rows, cols, 10);
      terminal->Feed(
          "\x1b[38:2:59:66:97;48:2:36:40:59;58:2:224:175:104;4:3mhello"
          "\x1b[5b\u4E2D\x1b[200b\x1b[20;24r\x1b[24;80H\x1b"
          "7\xE4"
          "a\xE4");
      ASSERT_TRUE(terminal->Resize({10, 80}).ok());
      terminal->Feed(
          "\n\n\n\n\n\n\n\n\n\n\n\x1b"
          "8x");
      ASSERT_TRUE(terminal->Resize({rows, cols}).ok());
    }
  }
}

TEST(Sizes, OutOfRangeAreRefusedWithTheRange) {
  for (Size size : std::vector<Size>{{0, 80},
                                     {24, 0},
                                     {-1, 80},
                                     {1'000'000'000, 80},
                                     {24, 1'000'000'000},
                                     {1, 80},
                                     {24, 1},
                                     {501, 80},
                                     {24, 1001},
                                     {400, 600}}) {
    EXPECT_FALSE(CheckSize(size).ok()) << size.rows << "x" << size.cols;
  }
  EXPECT_TRUE(CheckSize({2, 2}).ok());
  EXPECT_EQ(NearestSize({24, 80}), (Size{24, 80}));
  EXPECT_EQ(NearestSize({0, -1}), (Size{2, 2}));
  EXPECT_EQ(NearestSize({5'000, 5'000}), (Size{500, 400}));
  EXPECT_TRUE(CheckSize({500, 400}).ok());
  EXPECT_TRUE(CheckSize({200, 1000}).ok());
  EXPECT_EQ(CheckSize({1, 80}).message(),
            "size 1x80: 2 to 500 rows and 2 to 1000 columns are possible");
}

TEST(Sizes, ARefusedOneChangesNothing) {
  auto terminal = Make(24, 80);
  terminal->Feed("x");
  Snapshot before = terminal->TakeSnapshot();
  EXPECT_FALSE(terminal->Resize({0, 0}).ok());
  EXPECT_EQ(terminal->TakeSnapshot(), before);
}

}  // namespace
}  // namespace glasstty::terminal

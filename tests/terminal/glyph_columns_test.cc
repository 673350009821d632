// Tests which columns glyphs of several code points take for which programs,
// and that rows, snapshots, the history and saved states agree.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "screen_fixture.h"
#include "support/text.h"
#include "terminal/row_cells.h"
#include "terminal/terminal.h"
#include "testing/source_tree.h"

namespace glasstty::terminal {
namespace {

std::unique_ptr<Terminal> Make(Size size) {
  Terminal::Options options;
  options.size = size;
  options.nonce = "n";
  return *Terminal::Create(options);
}

constexpr char kHeart[] = "\u2764\uFE0F";

// Returns the cursor's column after a heart with the emoji selector.
int ColumnsOfHeart(Terminal* terminal) {
  terminal->Feed("\r");
  terminal->Feed(kHeart);
  return terminal->cursor().col;
}

TEST(GlyphColumns, AShellsPromptCountsCodePointsAndItsCommandsGlyphs) {
  auto terminal = Make({5, 20});
  EXPECT_EQ(ColumnsOfHeart(terminal.get()), 2) << "no shell is known";
  terminal->Feed("\x1b]133;A;aid=n\a$ \x1b]133;B;aid=n\a");
  EXPECT_EQ(ColumnsOfHeart(terminal.get()), 1);
  terminal->Feed("\x1b]133;C;aid=n\a");
  EXPECT_EQ(ColumnsOfHeart(terminal.get()), 2);
  terminal->Feed("\x1b]133;D;0;aid=n\a");
  EXPECT_EQ(ColumnsOfHeart(terminal.get()), 1);
  terminal->Feed("\x1b]133;C;aid=other\a");
  EXPECT_EQ(ColumnsOfHeart(terminal.get()), 1) << "marks of others";
}

TEST(GlyphColumns, AShellMaySayThatItsEditorCountsGlyphs) {
  auto terminal = Make({5, 20});
  terminal->Feed("\x1b]133;A;aid=n;columns=glyphs\a");
  EXPECT_EQ(ColumnsOfHeart(terminal.get()), 2);
}

TEST(GlyphColumns, TheKittyKeyboardIsASignOfProgramsThatCountGlyphs) {
  auto terminal = Make({5, 20});
  terminal->Feed("\x1b[?1049h");
  EXPECT_EQ(ColumnsOfHeart(terminal.get()), 1);
  terminal->Feed("\x1b[>1u");
  EXPECT_EQ(ColumnsOfHeart(terminal.get()), 2);
  terminal->Feed("\x1b[<u");
  EXPECT_EQ(ColumnsOfHeart(terminal.get()), 1);
}

TEST(GlyphColumns, ModeTwentyTwentySevenEndsWithTheCommandThatDied) {
  auto terminal = Make({5, 20});
  terminal->Feed("\x1b]133;A;aid=n\a\x1b]133;C;aid=n\a\x1b[?2027h");
  EXPECT_TRUE(terminal->modes().clusters);
  terminal->Feed("\x1b]133;D;137;aid=n\a");
  EXPECT_FALSE(terminal->modes().clusters);
}

TEST(GlyphColumns, ModeTwentyTwentySevenNarrowsTextFormsAndJoinsVowelSigns) {
  auto terminal = Make({5, 4});
  terminal->Feed("\x1b[?2027hab\u231A\uFE0E");
  EXPECT_EQ(terminal->cursor().col, 3);
  EXPECT_FALSE(terminal->cursor().pending_wrap);
  terminal->Feed("\r\n\u0928\u093F");
  EXPECT_EQ(terminal->cursor().col, 1);
}

// Returns the sequences of docs/widths.md: those in the row of its table that
// begins with `name`.
std::vector<std::string> DocumentedColumns(const std::string& name) {
  std::string page = ReadFixture(SourcePath("docs/widths.md"));
  size_t begin = page.find("| " + name + " |");
  if (begin == std::string::npos) return {};
  std::string row = page.substr(begin, page.find('\n', begin) - begin);
  std::vector<std::string> columns;
  for (std::string_view field : Split(row, '|')) {
    columns.emplace_back(TrimBlanks(field));
  }
  return {columns.begin() + 2, columns.end() - 1};
}

TEST(GlyphColumns, AreAsDocumented) {
  for (bool by_glyph : {true, false}) {
    auto terminal = Make({5, 30});
    if (!by_glyph) terminal->Feed("\x1b[?1049h");
    std::vector<std::string> columns;
    for (const char* glyph :
         {"\u2764\uFE0F", "1\uFE0F\u20E3",
          "\U0001F468\u200D\U0001F469\u200D\U0001F467", "\U0001F44D\U0001F3FD",
          "\U0001F1E9\U0001F1EA", "\u231A\uFE0E"}) {
      terminal->Feed("\r");
      terminal->Feed(glyph);
      columns.push_back(std::to_string(terminal->cursor().col));
    }
    EXPECT_EQ(columns, DocumentedColumns(by_glyph ? "glasstty, by glyph"
                                                  : "glasstty, by code point"));
  }
}

// Generates text, motion, modes and colours, so that each glyph has a colour of
// its own.
class GlyphStreams {
 public:
  explicit GlyphStreams(uint64_t seed) : random_(seed) {}

  std::string Next(Size size) {
    static constexpr std::array kPieces = {
        "a",      "\u5b57",     "e\u0301",    "\u2764",     "\uFE0F",
        "\uFE0E", "\u200D",     "\U0001F468", "\U0001F3FD", "\U0001F1E9",
        "1",      "\u20E3",     "\u231A",     "\u0928",     "\u093F",
        " ",      "\U0001F3F4", "\U000E0067", "\u1100",     "\u1161"};
    static constexpr std::array kModes = {
        "\x1b[?2027h", "\x1b[?2027l", "\x1b[?1049h", "\x1b[?1049l", "\x1b[?7l",
        "\x1b[?7h",    "\x1b[4h",     "\x1b[4l",     "\x1b[?69h",   "\x1b[2;5s",
        "\x1b[?69l",   "\x1b[S",      "\x1b[@",      "\x1b[2P",     "\r\n",
        "\x1b[X",      "\x1b[K",      "\x1b[2X",     "\t",          "\x1b[2b"};
    size_t kind = Pick(20);
    if (kind == 0) return kModes[Pick(kModes.size())];
    if (kind == 1) {
      return "\x1b[" + std::to_string(1 + Pick(size.rows)) + ";" +
             std::to_string(1 + Pick(size.cols)) + "H";
    }
    std::string piece = kPieces[Pick(kPieces.size())];
    bool is_glyph = Pick(3) == 0;
    if (!is_glyph) return piece;
    return "\x1b[38;5;" + std::to_string(++color_ % 256) + "m" + piece;
  }

 private:
  size_t Pick(size_t limit) { return random_() % limit; }

  std::mt19937_64 random_;
  int color_ = 0;
};

void ExpectSound(const Snapshot& screen) {
  for (const SnapshotRow& row : screen.rows) {
    RowCells cells = CutIntoCells(row);
    std::string joints;
    for (const Joint& joint : row.joints) {
      joints += " " + std::to_string(joint.col) + ":" +
                std::to_string(joint.bytes) + "b" + std::to_string(joint.cols);
    }
    ASSERT_LE(cells.size(), static_cast<size_t>(screen.size.cols))
        << row.text << " with" << joints;
    std::string text;
    for (std::string_view cell : cells) text += cell;
    ASSERT_EQ(text, row.text);
    for (const StyleRun& run : row.styles) {
      auto col = static_cast<size_t>(run.col);
      ASSERT_TRUE(col >= cells.size() || !cells[col].empty())
          << row.text << ": a style begins inside of the glyph at " << col;
    }
  }
}

TEST(GlyphColumns, RowsAreCutAsTheGridHasThem) {
  constexpr Size kSize = {4, 9};
  for (uint64_t seed = 0; seed < 300; ++seed) {
    GlyphStreams streams(seed);
    auto terminal = Make(kSize), split = Make(kSize);
    for (int i = 0; i < 200; ++i) {
      std::string bytes = streams.Next(kSize);
      terminal->Feed(bytes);
      for (char byte : bytes) split->Feed({&byte, 1});
      ExpectSound(terminal->TakeSnapshot());
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", step " << i;
    }
    ASSERT_EQ(terminal->TakeSnapshot().rows.size(), 4u);
    Snapshot whole = terminal->TakeSnapshot(), bitwise = split->TakeSnapshot();
    whole.revision = bitwise.revision = 0;
    for (SnapshotRow& row : whole.rows) row.changed = true;
    for (SnapshotRow& row : bitwise.rows) row.changed = true;
    ASSERT_TRUE(whole == bitwise) << "seed " << seed;
    auto restored = Make(kSize);
    ASSERT_TRUE(restored->RestoreState(terminal->SaveState()).ok());
    std::string more = kHeart + std::string("x") + streams.Next(kSize);
    terminal->Feed(more);
    restored->Feed(more);
    Snapshot again = restored->TakeSnapshot();
    whole = terminal->TakeSnapshot();
    for (size_t row = 0; row < whole.rows.size(); ++row) {
      ASSERT_EQ(again.rows[row].text, whole.rows[row].text) << seed;
      ASSERT_TRUE(again.rows[row].joints == whole.rows[row].joints) << seed;
    }
  }
}

TEST(GlyphColumns, RowsComeBackFromTheHistoryAsTheyWere) {
  constexpr Size kSize = {4, 9};
  for (uint64_t seed = 0; seed < 300; ++seed) {
    GlyphStreams streams(seed);
    auto terminal = Make(kSize);
    for (int i = 0; i < 100; ++i) terminal->Feed(streams.Next(kSize));
    terminal->Feed("\x1b[?69l\x1b[?1049l\x1b[r\x1b[m\x1b[4H");
    Snapshot before = terminal->TakeSnapshot();
    terminal->Feed("\n\n\n\n");
    ASSERT_TRUE(terminal->Resize({8, 9}).ok());
    Snapshot after = terminal->TakeSnapshot();
    for (size_t row = 0; row < before.rows.size(); ++row) {
      ASSERT_EQ(after.rows[row].text, before.rows[row].text) << seed;
      ASSERT_TRUE(after.rows[row].joints == before.rows[row].joints)
          << seed << ": " << before.rows[row].text;
    }
  }
}

}  // namespace
}  // namespace glasstty::terminal

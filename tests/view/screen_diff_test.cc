#include "view/screen_diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "support/text.h"
#include "terminal/widths.h"

namespace glasstty::view {
namespace {

using Rows = std::vector<std::string>;

std::string Diff(const Rows& earlier, const Rows& later,
                 DiffEncoding encoding = DiffEncoding::kMoved) {
  return EncodeDiff(earlier, later, encoding, nullptr);
}

TEST(ScreenDiff, NothingChangedIsNoText) { EXPECT_EQ(Diff({"a"}, {"a"}), ""); }

TEST(ScreenDiff, ARowIsNamedByItsNumber) {
  EXPECT_EQ(Diff({"one", "two"}, {"one", "2"}), "2| 2");
}

TEST(ScreenDiff, ColumnsAreNamedWhereThatIsShorter) {
  EXPECT_EQ(
      Diff({"cpu  12% of two processors"}, {"cpu  34% of two processors"}),
      "1:6-8| 34%");
}

TEST(ScreenDiff, ANumberIsShownWhole) {
  EXPECT_EQ(
      Diff({"Mem 22325.7 free of 24105.6"}, {"Mem 22462.7 free of 24105.6"}),
      "1:5-11| 22462.7");
}

TEST(ScreenDiff, AWordIsShownWholeUnlessItIsLong) {
  EXPECT_EQ(Diff({"22325.7 free of 24105.6"}, {"22462.7 free of 24105.6"}),
            "1:1-7| 22462.7");
  EXPECT_EQ(Diff({"of-16-characters and what follows"},
                 {"of-16-CHARacters and what follows"}),
            "1:1-16| of-16-CHARacters");
  EXPECT_EQ(Diff({"of-17--characters and what follows"},
                 {"of-17--CHARacters and what follows"}),
            "1:8-11| CHAR");
}

TEST(ScreenDiff, TheFirstColumnMayBeTheOnlyOne) {
  EXPECT_EQ(Diff({"> the entry of a menu"}, {"  the entry of a menu"}),
            "1:1 blank");
}

TEST(ScreenDiff, ColumnsThatNearlyTouchAreNamedTogether) {
  std::string rest = " and all that follows", gap(7, ' ');
  EXPECT_EQ(Diff({"a" + gap + "b" + rest}, {"x" + gap + "y" + rest}),
            "1:1-9| x" + gap + "y");
  gap += ' ';
  EXPECT_EQ(Diff({"a" + gap + "b" + rest}, {"x" + gap + "y" + rest}),
            "1:1| x\n1:10| y");
}

TEST(ScreenDiff, ColumnsThatAreNoShorterThanTheRowAreNotNamed) {
  EXPECT_EQ(Diff({"a y"}, {"x y"}), "1| x y");
  EXPECT_EQ(Diff({"a yz"}, {"x yz"}), "1:1| x");
}

TEST(ScreenDiff, TwoLinesThatChangedPlacesAreNamed) {
  EXPECT_EQ(Diff({"one", "two", "three"}, {"two", "one", "three"}),
            "1| two\n2| one");
}

TEST(ScreenDiff, ClearedRowsAndColumnsAreBlank) {
  EXPECT_EQ(Diff({"a", "b", "c", "this row is long and goes on"},
                 {"", "", "c", "this row is long and"}),
            "1-2 blank\n4:22-28 blank");
}

TEST(ScreenDiff, RowsOfOneTextAreNamedTogether) {
  EXPECT_EQ(Diff({"a", "b", "c"}, {"~", "~", "~"}), "1-3| ~");
}

TEST(ScreenDiff, RowsThatMovedAreNotSentAgain) {
  EXPECT_EQ(Diff({"title", "line 1", "line 2", "line 3", "line 4", ":"},
                 {"title", "line 2", "line 3", "line 4", "line 5", ":"}),
            "rows 3-5 moved up 1\n5| line 5");
  EXPECT_EQ(Diff({"line 2", "line 3", "line 4", "line 5", ":"},
                 {"line 1", "line 2", "line 3", "line 4", ":"}),
            "rows 1-3 moved down 1\n1| line 1");
}

TEST(ScreenDiff, TheFirstRowMayMoveAndBeMovedOnto) {
  EXPECT_EQ(Diff({"line 1", "line 2", "line 3", "line 4"},
                 {"line 2", "line 3", "line 4", "line 5"}),
            "rows 2-4 moved up 1\n4| line 5");
}

TEST(ScreenDiff, ARowThatChangedAboveThoseThatMovedIsNotMovedOnto) {
  EXPECT_EQ(Diff({"aaaa", "line 1", "line 2", "line 3", "line 4"},
                 {"bbbb", "line 2", "line 3", "line 4", "line 5"}),
            "rows 3-5 moved up 1\n1| bbbb\n5| line 5");
}

TEST(ScreenDiff, AWideGlyphIsNeverCut) {
  EXPECT_EQ(Diff({"the name is 漢字 and no other"},
                 {"the name is 漢a  and no other"}),
            "1:13-16| 漢a");
  EXPECT_EQ(
      Diff({"the name is x漢 and no other"}, {"the name is 漢x and no other"}),
      "1:13-15| 漢x");
}

TEST(ScreenDiff, AWideGlyphInALongBarIsNamedByBothColumns) {
  std::string bar;
  for (int i = 0; i < 16; ++i) bar += "─";
  EXPECT_EQ(Diff({"─漢" + bar}, {"─字" + bar}), "1:2-3| 字");
  EXPECT_EQ(Diff({"漢" + bar}, {"字" + bar}), "1:1-2| 字");
}

TEST(ScreenDiff, ScreensOfAnotherSizeOrKindAreShownWhole) {
  ScreenText a = {{2, 80}, false, 1, {"a", "b"}};
  ScreenText wider = a, other = a;
  wider.size.cols = 81;
  other.alternate = true;
  EXPECT_TRUE(DiffScreens(a, a, 1000));
  EXPECT_FALSE(DiffScreens(a, wider, 1000));
  EXPECT_FALSE(DiffScreens(a, other, 1000));
}

TEST(ScreenDiff, ADiffThatSavesLittleIsNotWorthReading) {
  ScreenText a = {{1, 80}, false, 1, {"a"}}, b = {{1, 80}, false, 2, {"b"}};
  ASSERT_EQ(Diff(a.rows, b.rows).size(), 4u);
  EXPECT_TRUE(DiffScreens(a, b, 6));
  EXPECT_FALSE(DiffScreens(a, b, 5));
}

TEST(ScreenDiff, WhatIsNoDiffIsNotApplied) {
  for (const char* text : {"hello",
                           "3| beyond",
                           "0| x",
                           "2-1| x",
                           "1",
                           "1 blan",
                           "1:0| x",
                           "|",
                           "rows 1-2 moved up 1",
                           "rows 1-2 moved down 1",
                           "rows 1-2",
                           "rows 2-2 moved left 1",
                           "9999999999| x",
                           "1-| x",
                           "1:| x",
                           "1:1234567| x",
                           "rows 1-2 moved up ",
                           "rows 2-2 moved up x",
                           "rows 2-2 moved up 1 row",
                           "rows 2-3 moved up 1"}) {
    EXPECT_FALSE(ApplyDiff({"a", "b"}, text)) << text;
  }
}

TEST(ScreenDiff, ColumnsOfSixDigitsAreApplied) {
  auto applied = ApplyDiff({"a"}, "1:100000| x");
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->front(), "a" + std::string(99'998, ' ') + "x");
}

// ---- any two screens

// Generates screens as programs draw them, and rows that look like a diff.
class ScreenPairs {
 public:
  explicit ScreenPairs(uint64_t seed) : random_(seed) {}

  Rows Screen() {
    Rows rows(1 + Pick(12));
    for (std::string& row : rows) row = Row();
    return rows;
  }

  // Returns the rows with some of them changed, moved, cleared.
  Rows Changed(Rows rows) {
    if (Pick(2) == 0) Scroll(&rows);
    for (size_t i = Pick(5); i > 0; --i) {
      std::string& row = rows[Pick(rows.size())];
      row = Pick(3) == 0 ? Row() : Edited(row);
    }
    return rows;
  }

 private:
  size_t Pick(size_t limit) { return random_() % limit; }

  std::string Glyph() {
    static const char* const kGlyphs[] = {
        "a", "b", " ", " ", "7", "|", "漢", "字", "é", "e\u0301", "漢\u0301",
        "\u200b", "─", "👍", "\u0301",
        // These are invisible ones, selectors, joiners, skin tones, flags,
        // keycaps, jamo, vowel signs, and text that looks like an invisible
        // one.
        "\u00ad", "\ufe0f", "\u200d", "🏽", "🇩", "🇪", "1\ufe0f\u20e3",
        "❤\ufe0f", "👨\u200d👩", "\u1100\u1161", "नि", "<U+200B>", "\ufeff",
        "\U000e0041"};
    return kGlyphs[Pick(std::size(kGlyphs))];
  }

  std::string Row() {
    static const char* const kRows[] = {"",
                                        "~",
                                        "3| text",
                                        "1-2 blank",
                                        "rows 1-2 moved up 1",
                                        "1:2| x",
                                        "(3 blank rows)",
                                        "blank",
                                        " indented",
                                        "1-2| ~"};
    if (Pick(3) == 0) return kRows[Pick(std::size(kRows))];
    std::string row;
    for (size_t i = Pick(40); i > 0; --i) row += Glyph();
    return std::string(TrimTrailingBlanks(row));
  }

  // Replaces or inserts whole code points, so the row stays UTF-8.
  std::string Edited(const std::string& row) {
    size_t at = Pick(row.size() + 1);
    auto cuts = [&row](size_t i) {
      return i < row.size() && (row[i] & 0xC0) == 0x80;
    };
    while (cuts(at)) ++at;
    size_t end = std::min(at + Pick(4), row.size());
    while (cuts(end)) ++end;
    std::string text = row.substr(0, at) + Glyph() + row.substr(end);
    return std::string(TrimTrailingBlanks(text));
  }

  void Scroll(Rows* rows) {
    size_t first = Pick(rows->size()), last = Pick(rows->size());
    if (first > last) std::swap(first, last);
    auto begin = rows->begin() + static_cast<std::ptrdiff_t>(first);
    auto end = rows->begin() + static_cast<std::ptrdiff_t>(last) + 1;
    auto middle = begin + static_cast<std::ptrdiff_t>(Pick(last - first + 1));
    std::rotate(begin, middle, end);
  }

  std::mt19937_64 random_;
};

// Returns the rows as a reader who is shown them.
ScreenText Shown(const Rows& rows) {
  terminal::Snapshot snapshot;
  snapshot.size = {static_cast<int>(rows.size()), 80};
  snapshot.rows.resize(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) snapshot.rows[i].text = rows[i];
  return TextOf(snapshot);
}

// Applies the diff like someone who knows only that wide characters take two
// columns.
std::optional<Rows> AppliedByCharacters(Rows rows, const std::string& diff) {
  for (const std::string& line : Split(diff, '\n')) {
    unsigned long row = 0, first = 0, last = 0;
    int end = 0;
    bool names_columns =
        std::sscanf(line.c_str(), "%lu:%lu%n", &row, &first, &end) == 2;
    if (!names_columns) {
      auto applied = ApplyDiff(std::move(rows), line);
      if (!applied) return std::nullopt;
      rows = *std::move(applied);
      continue;
    }
    last = first;
    std::string_view rest = std::string_view(line).substr(end);
    if (rest[0] == '-') {
      std::sscanf(rest.data(), "-%lu%n", &last, &end);
      rest.remove_prefix(end);
    }
    auto columns = [](std::string_view text) {
      std::vector<std::string> cells;
      while (!text.empty()) {
        std::string_view before = text;
        bool is_wide = terminal::WidthOf(TakeUtf8(&text)) == 2;
        cells.emplace_back(before.substr(0, before.size() - text.size()));
        if (is_wide) cells.emplace_back();
      }
      return cells;
    };
    std::vector<std::string> cells = columns(rows[row - 1]);
    std::vector<std::string> fresh =
        columns(rest == " blank" ? "" : rest.substr(2));
    cells.resize(std::max<size_t>(cells.size(), last), " ");
    fresh.resize(last - first + 1, " ");
    std::copy(fresh.begin(), fresh.end(), cells.begin() + first - 1);
    std::string text = Join(cells, "");
    rows[row - 1] = TrimTrailingBlanks(text);
  }
  return rows;
}

TEST(ScreenDiff, AppliedToWhatWasShownGivesWhatWouldBeShown) {
  ScreenPairs pairs(22);
  int with_columns = 0;
  for (int i = 0; i < 10'000; ++i) {
    Rows screen = pairs.Screen();
    ScreenText earlier = Shown(screen), later = Shown(pairs.Changed(screen));
    auto diff = DiffScreens(earlier, later, 100'000);
    ASSERT_TRUE(diff);
    with_columns += diff->text.find(':') != std::string::npos ? 1 : 0;
    auto applied = ApplyDiff(earlier.rows, diff->text);
    ASSERT_TRUE(applied) << diff->text;
    ASSERT_EQ(Join(*applied, "\n"), Join(later.rows, "\n")) << diff->text;
    auto by_characters = AppliedByCharacters(earlier.rows, diff->text);
    ASSERT_TRUE(by_characters) << diff->text;
    ASSERT_EQ(Join(*by_characters, "\n"), Join(later.rows, "\n")) << diff->text;
  }
  EXPECT_GT(with_columns, 100);
}

TEST(ScreenDiff, IsAboutInvisibleCharactersAsTheyWereShown) {
  ScreenText earlier = Shown({"a\u200bb cpu  12% of two processors"});
  ScreenText later = Shown({"a\u200bb cpu  34% of two processors"});
  auto diff = DiffScreens(earlier, later, 1000);
  ASSERT_TRUE(diff);
  EXPECT_EQ(diff->text, "1| a<U+200B>b cpu  34% of two processors");
  EXPECT_EQ(diff->invisible, 1);
}

class AnyTwoScreens : public testing::TestWithParam<DiffEncoding> {};

TEST_P(AnyTwoScreens, TheDiffAppliedToTheEarlierGivesTheLater) {
  ScreenPairs pairs(20);
  for (int i = 0; i < 10'000; ++i) {
    Rows earlier = pairs.Screen(), later = pairs.Changed(earlier);
    std::string diff = Diff(earlier, later, GetParam());
    auto applied = ApplyDiff(earlier, diff);
    ASSERT_TRUE(applied) << diff;
    ASSERT_EQ(Join(*applied, "\n"), Join(later, "\n"))
        << "from:\n"
        << Join(earlier, "\n") << "\nby:\n"
        << diff;
  }
}

INSTANTIATE_TEST_SUITE_P(ByEncoding, AnyTwoScreens,
                         testing::Values(DiffEncoding::kRows,
                                         DiffEncoding::kSpans,
                                         DiffEncoding::kMoved));

TEST(AnyTwoScreens, TheChosenDiffIsNeverLongerThanTheScreen) {
  ScreenPairs pairs(21);
  int diffs = 0;
  for (int i = 0; i < 10'000; ++i) {
    ScreenText earlier, later;
    earlier.rows = pairs.Screen();
    later.rows = pairs.Changed(earlier.rows);
    size_t full = Join(later.rows, "\n").size();
    auto diff = DiffScreens(earlier, later, full);
    if (!diff) continue;
    ++diffs;
    ASSERT_LE(diff->text.size(), full);
    ASSERT_EQ(ApplyDiff(earlier.rows, diff->text), later.rows) << diff->text;
  }
  EXPECT_GT(diffs, 1000);
}

}  // namespace
}  // namespace glasstty::view

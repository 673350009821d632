#include "view/render.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace glasstty::view {
namespace {

std::vector<terminal::Line> Numbered(std::initializer_list<const char*> texts) {
  std::vector<terminal::Line> lines;
  for (const char* text : texts) {
    lines.push_back({.number = std::ssize(lines), .text = text});
  }
  return lines;
}

TEST(RenderLines, KeepsTheEndThatWasAskedFor) {
  auto lines = Numbered({"a", "b", "c", "d"});
  EXPECT_EQ(
      RenderLines(lines, {.max_lines = 2, .truncate = Truncate::kHead}).text,
      "a\nb\n[... 2 lines left out]");
  EXPECT_EQ(
      RenderLines(lines, {.max_lines = 2, .truncate = Truncate::kTail}).text,
      "[... 2 lines left out]\nc\nd");
  EXPECT_EQ(
      RenderLines(lines, {.max_lines = 2, .truncate = Truncate::kNone}).text,
      "a\nb\nc\nd");
}

TEST(RenderLines, TakesLinesUpToTheLastByteThatWasAskedFor) {
  auto lines = Numbered({"a", "b", "c", "d"});
  EXPECT_EQ(
      RenderLines(lines, {.truncate = Truncate::kHead, .max_bytes = 4}).text,
      "a\nb\n[... 2 lines left out]");
  EXPECT_EQ(
      RenderLines(lines, {.truncate = Truncate::kHead, .max_bytes = 3}).text,
      "a\n[... 3 lines left out]");
  EXPECT_EQ(
      RenderLines(lines, {.truncate = Truncate::kTail, .max_bytes = 4}).text,
      "[... 2 lines left out]\nc\nd");
}

TEST(RenderLines, ASingleByteIsALimitToo) {
  EXPECT_EQ(RenderLines(Numbered({"abc"}), {.max_bytes = 1}).text,
            " [3 more characters of this line: mode=raw]");
}

TEST(RenderLines, FoldsIdenticalLinesWithTheirCount) {
  EXPECT_EQ(RenderLines(Numbered({"a", "x", "x", "x", "x", "b"}), {}).text,
            "a\nx\n(the same line 3 more times)\nb");
  EXPECT_EQ(RenderLines(Numbered({"x", "x", "x", "b"}), {}).text,
            "x\n(the same line 2 more times)\nb");
  EXPECT_EQ(RenderLines(Numbered({"x", "x", "b"}), {}).text, "x\nx\nb");
}

TEST(RenderLines, FoldedLinesTakeTwoOfThoseAskedFor) {
  auto lines = Numbered({"x", "x", "x", "b"});
  EXPECT_EQ(RenderLines(lines, {.max_lines = 3}).left_out, 0);
  EXPECT_EQ(RenderLines(lines, {.max_lines = 2}).left_out, 3);
}

TEST(RenderLines, SaysWhereASingleLineIsMissingAndFoldsNothingAcross) {
  auto lines = Numbered({"x", "x", "x", "x", "x", "x"});
  EXPECT_EQ(RenderLines(lines, {}, {.index = 3, .count = 1}).text,
            "x\n(the same line 2 more times)\n[... 1 line left out]\n"
            "x\n(the same line 2 more times)");
}

TEST(RenderLines, NeverPassesTheHardLimitWhateverIsAskedFor) {
  std::vector<terminal::Line> lines;
  lines.reserve(2000);
  for (int i = 0; i < 2000; ++i) {
    lines.push_back(
        {.number = i, .text = std::string(97, 'x') + std::to_string(i)});
  }
  Rendered all =
      RenderLines(lines, {.max_lines = 0, .truncate = Truncate::kNone});
  EXPECT_LE(all.text.size(), Limits::kHardCharacters + 100);
  EXPECT_GT(all.text.size(), Limits::kHardCharacters / 2);
  EXPECT_GT(all.left_out, 0);
}

TEST(RenderLines, ShowsTheBeginningOfALineThatAloneIsTooLong) {
  std::string text =
      RenderLines({{.number = 0, .text = std::string(200'000, 'x')}}, {}).text;
  EXPECT_LE(text.size(), Limits::kDefaultCharacters);
  EXPECT_NE(text.find("[196000 more characters of this line: mode=raw]"),
            std::string::npos);
}

TEST(RenderLines, CountsWhatIsNoLongerKeptOfALine) {
  terminal::Line line{.number = 0, .text = std::string(100'000, 'x')};
  line.missing_characters = 900'000;
  EXPECT_NE(RenderLines({line}, {}).text.find("[996000 more characters"),
            std::string::npos);
}

TEST(RenderScreen, FoldsBlankRowsAndCutsTheLast) {
  terminal::Snapshot snapshot;
  for (const char* text : {"a", "", "", "", "b", "", "c", "", ""}) {
    snapshot.rows.push_back({.text = text});
  }
  EXPECT_EQ(RenderScreen(snapshot), "a\n(3 blank rows)\nb\n\nc");
}

// Returns a screen of `blank` empty rows and `rows` after them.
terminal::Snapshot ScreenOf(size_t blank,
                            const std::vector<std::string>& rows) {
  terminal::Snapshot snapshot;
  snapshot.rows.resize(blank);
  for (const std::string& row : rows) snapshot.rows.push_back({.text = row});
  return snapshot;
}

// These are vim's marks of rows that do not exist.
TEST(RenderCropped, CountsRowsOfOneCharacterWhereThatIsShorter) {
  std::vector<std::string> rows(8, "~");
  EXPECT_EQ(RenderCropped(ScreenOf(0, rows)).text, "(8 rows of ~)");
  rows.pop_back();
  EXPECT_EQ(RenderCropped(ScreenOf(0, rows)).text, "~\n~\n~\n~\n~\n~\n~");
}

TEST(RenderCropped, LeavesOutTheColumnsBesideADialog) {
  const std::string indent(20, ' ');
  Cropped cropped =
      RenderCropped(ScreenOf(4, {indent + "Sure?", "", indent + "  <Yes>"}));
  EXPECT_EQ(cropped.text, "(4 blank rows)\nSure?\n\n  <Yes>");
  EXPECT_EQ(cropped.columns, 20);
}

TEST(RenderCropped, LeavesAFullScreenAsItIs) {
  const std::string indent(20, ' ');
  Cropped cropped = RenderCropped(ScreenOf(1, {indent + "a", indent + "b"}));
  EXPECT_EQ(cropped.text, "\n" + indent + "a\n" + indent + "b");
  EXPECT_EQ(cropped.columns, 0);
}

TEST(RenderCropped, DoesNotCropForLessThanItTakesToSaySo) {
  const std::string indent(19, ' ');
  Cropped cropped = RenderCropped(ScreenOf(5, {indent + "a", indent + "b"}));
  EXPECT_EQ(cropped.text, "(5 blank rows)\n" + indent + "a\n" + indent + "b");
  EXPECT_EQ(cropped.columns, 0);
}

TEST(RenderCropped, OfABlankScreenIsEmpty) {
  EXPECT_EQ(RenderCropped(ScreenOf(5, {})).text, "");
}

// These are the sides of a window. Rows are folded only if it saves something.
TEST(RenderScreen, FoldsRowsThatAreTheSame) {
  terminal::Snapshot snapshot;
  std::string side = "  │" + std::string(40, ' ') + "│";
  for (const std::string& text : {side, side, side, side, std::string("~"),
                                  std::string("~"), std::string("~")}) {
    snapshot.rows.push_back({.text = text});
  }
  EXPECT_EQ(RenderScreen(snapshot),
            side + "\n(the same row 3 more times)\n~\n~\n~");
  // Two rows of 13 take as much as "(the same row 2 more times)".
  std::string row(13, '-');
  EXPECT_EQ(RenderRows({row, row, row}), row + "\n" + row + "\n" + row);
  row += '-';
  EXPECT_EQ(RenderRows({row, row, row}), row + "\n(the same row 2 more times)");
}

}  // namespace
}  // namespace glasstty::view

#include "motion/text_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace glasstty::motion {
namespace {

// Returns the pieces, a line each; the bytes come in parts of `size`.
std::string Pieces(std::string_view bytes, size_t size) {
  using Kind = TextLines::Piece::Kind;
  TextLines lines;
  std::string all;
  while (!bytes.empty()) {
    std::string_view part = bytes.substr(0, size);
    bytes.remove_prefix(part.size());
    while (!part.empty()) {
      TextLines::Piece piece = lines.Next(&part);
      if (piece.kind == Kind::kLine) all += "line ";
      if (piece.kind == Kind::kOverwritten) all += "over ";
      if (piece.kind == Kind::kBackspaced) all += "back ";
      if (piece.kind == Kind::kMark) all += "mark ";
      if (piece.kind == Kind::kScreens) {
        all += lines.draws_screens() ? "screens" : "no screens";
      }
      all += std::string(piece.text);
      if (piece.kind != Kind::kNothing) all += "\n";
    }
  }
  return all + "open " + std::string(lines.open_line());
}

struct LinesRow {
  const char* name;
  const char* bytes;
  const char* pieces;
};

class TextLinesTable : public ::testing::TestWithParam<LinesRow> {};

TEST_P(TextLinesTable, AreThoseThatAPersonReadsHoweverTheBytesAreSplit) {
  std::string_view bytes = GetParam().bytes;
  for (size_t size = 1; size <= bytes.size(); ++size) {
    EXPECT_EQ(Pieces(bytes, size), GetParam().pieces) << "parts of " << size;
  }
}

constexpr LinesRow kLinesRows[] = {
    {"Lines", "one\r\ntwo\n\r\nthr", "line one\nline two\nline \nopen thr"},
    {"Colours", "\033[1;31merror:\033[m no\033[K\r\n", "line error: no\nopen "},
    {"AProgressBar", "\r10%\r20%\r30%\r\n",
     "over 10%\nover 20%\nline 30%\nopen "},
    {"AColumnIsAReturn", "a\033[Gb\n", "over a\nline b\nopen "},
    {"ABackspace", "abc\b\bx\n", "back abc\nline ax\nopen "},
    {"Marks", "\033]133;A;aid=1\a$ \033]133;D;0\033\\x",
     "mark A;aid=1\nmark D;0\nopen $ x"},
    {"Titles", "\033]0;title\aA\033(BC\0337D", "open ACD"},
    {"TheAlternateScreen", "a\n\033[?1049h\033[Hxx\r\nyy\033[?1049lb\n",
     "line a\nscreens\nno screens\nline b\nopen "},
    {"RowsOfItsChoice",
     "\033[1;1Ha\033[2;1Hb\033[3;1Hc\033[4;1Hd\n\033]133;A\ae\n",
     "screens\nmark A\nline e\nopen "},
    {"ClearIsNoScreen", "\033[H\033[2Ja\n", "line a\nopen "},
    {"ABrokenSequence", "\033[1;\nb\n", "line \nline b\nopen "},
};
INSTANTIATE_TEST_SUITE_P(All, TextLinesTable, ::testing::ValuesIn(kLinesRows),
                         [](const auto& row) { return row.param.name; });

TEST(TextLines, AnEndlessStringIsDroppedAtLast) {
  TextLines lines;
  std::string bytes = "\033]0;" + std::string(2 << 20, 'x');
  std::string_view rest = bytes;
  while (!rest.empty()) {
    std::string_view part = rest.substr(0, 4096);
    rest.remove_prefix(part.size());
    while (!part.empty()) lines.Next(&part);
  }
  std::string_view end = "\nok\n";
  EXPECT_EQ(lines.Next(&end).kind, TextLines::Piece::Kind::kLine);
  EXPECT_EQ(lines.Next(&end).text, "ok");
}

TEST(TextLines, NothingOfALongStringIsText) {
  const std::string payload((200 << 10) + 1, 'x');
  for (const std::string end : {"\a", "\033\\", "\030"}) {
    std::string bytes = "a\033Pq" + payload + end + "b\nok\n";
    // The second one splits ST behind two parts.
    size_t half = (4 + payload.size() + 1) / 2;
    for (size_t size : {size_t{1000}, half, bytes.size()}) {
      EXPECT_EQ(Pieces(bytes, size), "line ab\nline ok\nopen ") << size;
    }
  }
}

}  // namespace
}  // namespace glasstty::motion

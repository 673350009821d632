// Tests what leaves a scrollback: the text of rows that it drops, which must be
// complete for whoever keeps it, and memory.
#include "terminal/scrollback.h"

#include <gtest/gtest.h>

#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

std::unique_ptr<Terminal> Make(int scrollback_rows, bool keeps) {
  return *Terminal::Create({.size = {2, 4},
                            .scrollback_rows = scrollback_rows,
                            .keep_evicted = keeps});
}

// "abcdef" takes two rows; the other lines take one.
constexpr std::string_view kOutput = "1\r\nabcdef\r\n\r\n2\r\n3\r\n4";

TEST(Scrollback, WhatItDropsCanBeTakenAsLines) {
  struct Case {
    int rows;
    std::string evicted;
  };
  // Two rows are on the screen.
  for (const auto& [rows, evicted] :
       {Case{0, "1\nabcdef\n\n2"}, Case{1, "1\nabcdef\n"}, Case{2, "1\nabcdef"},
        Case{3, "1\nabcd"}, Case{4, "1"}, Case{5, ""}, Case{100, ""}}) {
    auto terminal = Make(rows, /*keeps=*/true);
    terminal->Feed(kOutput);
    EXPECT_EQ(terminal->TakeEvicted(), evicted) << rows;
    EXPECT_EQ(terminal->TakeEvicted(), "") << rows;
  }
}

TEST(Scrollback, WhatIsTakenPieceByPieceIsTheSame) {
  for (int rows : {0, 1, 2, 3}) {
    auto whole = Make(rows, /*keeps=*/true), parts = Make(rows, /*keeps=*/true);
    whole->Feed(kOutput);
    std::string taken;
    for (char c : kOutput) {
      parts->Feed({&c, 1});
      taken += parts->TakeEvicted();
    }
    EXPECT_EQ(taken, whole->TakeEvicted()) << rows;
  }
}

// Rows that left the screen can be shown as they were, by their numbers.
TEST(Scrollback, ShowsItsRowsWithTheirStyles) {
  auto terminal = Make(/*scrollback_rows=*/3, /*keeps=*/false);
  terminal->Feed("1\r\n\x1b[31mab\x1b[mcdef\r\n2\r\n3\r\n4");
  EXPECT_EQ(terminal->first_row(), 1);
  EXPECT_EQ(terminal->top_row(), 4);
  std::vector<SnapshotRow> rows = terminal->RowsAbove(0, 100);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].text, "abcd");
  EXPECT_FALSE(rows[0].wrapped);
  ASSERT_EQ(rows[0].styles.size(), 1u);
  EXPECT_EQ(rows[0].styles[0].style.foreground, kPaletteColor + 1);
  EXPECT_EQ(rows[1].text, "ef");
  EXPECT_TRUE(rows[1].wrapped);
  EXPECT_EQ(rows[2].text, "2");
  EXPECT_EQ(terminal->RowsAbove(2, 3).size(), 1u);
}

TEST(Scrollback, FindsTheRowInWhichALineBegins) {
  auto terminal = Make(/*scrollback_rows=*/10, /*keeps=*/false);
  terminal->Feed("0\r\nabcdefghij\r\n2\r\n3");
  EXPECT_EQ(terminal->RowOf(1), 1);
  EXPECT_EQ(terminal->RowOf(2), 4);
  EXPECT_EQ(terminal->RowOf(3), 5);
  EXPECT_EQ(terminal->top_row(), 4);
}

TEST(Scrollback, WhatNobodyAskedForIsNotKept) {
  for (int rows : {0, 1, 100}) {
    auto terminal = Make(rows, /*keeps=*/false);
    terminal->Feed(kOutput);
    EXPECT_EQ(terminal->TakeEvicted(), "") << rows;
  }
}

Row RowOf(std::string_view text) {
  Row row;
  row.cells.resize(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    row.cells[i].text = static_cast<uint8_t>(text[i]);
  }
  row.used = static_cast<int>(text.size());
  return row;
}

// However long they are, a KiB each on average is kept, and two slabs.
TEST(Scrollback, LongRowsPushTheOldestOut) {
  Scrollback scrollback({.max_rows = 64});
  // The row is so long that one fills more than half of a slab.
  Row long_row = RowOf(std::string(40'000, 'x'));
  for (int i = 0; i < 5; ++i) scrollback.Push(long_row, ClusterTable());
  EXPECT_EQ(scrollback.rows(), 3u);
  EXPECT_EQ(scrollback.first_line(), 2);
  EXPECT_EQ(scrollback.row(0).text.size(), 40'000u);
}

TEST(Scrollback, ALineIsFoundByItsNumber) {
  Scrollback scrollback({.max_rows = 9});
  Row first = RowOf("a"), rest = RowOf("b");
  rest.wrapped = true;
  for (const Row& row : {first, first, rest, rest, first}) {
    scrollback.Push(row, ClusterTable());
  }
  std::vector<size_t> found;
  for (int64_t line : {-1, 0, 1, 2, 3}) {
    found.push_back(scrollback.LowerBound(line));
  }
  EXPECT_EQ(found, (std::vector<size_t>{0, 0, 1, 4, 5}));
  EXPECT_EQ(scrollback.newest_line_bytes(), 1u);
  Row popped;
  ClusterTable clusters;
  EXPECT_TRUE(scrollback.Pop(&popped, &clusters));
  EXPECT_EQ(scrollback.newest_line_bytes(), 3u);
  EXPECT_EQ(scrollback.next_line(), 2);
}

TEST(Scrollback, RowsThatWanderToTheScreenAndBackTakeNoMoreMemory) {
  Scrollback scrollback({.max_rows = 1000});
  Row row = RowOf(std::string(30'000, 'x')), popped;
  ClusterTable clusters;
  for (int i = 0; i < 6; ++i) scrollback.Push(row, clusters);
  size_t before = scrollback.MemoryBytes();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(scrollback.Pop(&popped, &clusters));
    for (int i = 0; i < 5; ++i) scrollback.Push(row, clusters);
  }
  EXPECT_EQ(scrollback.rows(), 6u);
  EXPECT_EQ(scrollback.MemoryBytes(), before);
}

}  // namespace
}  // namespace glasstty::terminal

// What a scrollback gives away: the text of rows that it drops, so that whoever
// keeps it has every line, and memory.
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

// However long they are: a KiB each on average, and two slabs.
TEST(Scrollback, LongRowsPushTheOldestOut) {
  Scrollback scrollback({.max_rows = 64});
  // So that one fills more than half of a slab.
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

// Tests what the drawing side of a grid promises its callers.
#include "terminal/grid.h"

#include <gtest/gtest.h>

namespace glasstty::terminal {
namespace {

// A rectangle whose bounds meet contains nothing, not even a wide glyph across
// them.
TEST(Grid, AnEmptyRectangleErasesNothing) {
  Grid grid({2, 6}, {});
  Glyph wide{.code_point = U'字', .width = 2};
  grid.Put({0, 0}, wide.width, {&wide, 1});
  grid.SetWrapped(1, true);
  grid.Erase({0, 1, 1, 1}, /*selective=*/false);
  grid.Erase({0, 1, 6, 6}, /*selective=*/false);
  EXPECT_EQ(grid.row(0).cells[0].text, U'字');
  EXPECT_TRUE(grid.row(1).wrapped);
}

// They have other numbers then.
TEST(Grid, LinesBelowARegionThatMadeHistoryCountAsChanged) {
  Grid grid({3, 4}, {});
  grid.PutAscii({2, 0}, "x");
  uint64_t before = grid.row(2).line_revision;
  grid.ScrollUp(0, 2, 1, Grid::History::kKeep);
  EXPECT_GT(grid.row(2).line_revision, before);
}

// This also applies while the alternate screen is shown.
TEST(Grid, TheWaitingCursorStaysOnTheScreen) {
  Grid grid({4, 10}, {});
  grid.EnterAlternate({3, 9});
  grid.Resize({2, 5}, {0, 0});
  EXPECT_EQ(grid.primary_cursor(), (Place{1, 4}));
  grid.Resize({4, 10}, {0, 0});
  EXPECT_EQ(grid.primary_cursor().col, 4);
}

TEST(Grid, ScrollingByNoRowsChangesNothing) {
  Grid grid({3, 4}, {});
  grid.PutAscii({0, 0}, "abcd");
  grid.PutAscii({1, 0}, "e");
  grid.SetWrapped(1, true);
  uint64_t before = grid.revision();
  grid.ScrollUp(1, 3, 0, Grid::History::kDrop);
  grid.ScrollDown(1, 3, 0);
  EXPECT_TRUE(grid.row(1).wrapped);
  EXPECT_EQ(grid.revision(), before);
}

TEST(Grid, TextEndsBehindTheLastLineThatHasSome) {
  Grid grid({3, 4}, {});
  EXPECT_EQ(grid.TextEndLine(), 0);
  grid.PutAscii({0, 0}, "abcd");
  EXPECT_EQ(grid.TextEndLine(), 1);
  grid.PutAscii({1, 0}, "e");
  EXPECT_EQ(grid.TextEndLine(), 2);
  grid.SetWrapped(1, true);
  EXPECT_EQ(grid.TextEndLine(), 1);
  grid.PutAscii({2, 0}, "  ");
  EXPECT_EQ(grid.TextEndLine(), 1);
}

}  // namespace
}  // namespace glasstty::terminal

// What the guard promises whoever feeds it, beyond what a stream of bytes can
// ask for.
#include "terminal/guard.h"

#include <gtest/gtest.h>

namespace glasstty::terminal {
namespace {

// No terminal driver stands behind a pipe, whatever a program resets.
TEST(Guard, ALineFeedOfAPipeBeginsANewLineAfterAResetToo) {
  Reports reports;
  Grid grid({4, 10}, {});
  Guard guard({4, 10}, &grid, &reports);
  guard.UseNewlines();
  guard.Feed("ab\n");
  EXPECT_EQ(guard.cursor(), (Cursor{.row = 1, .col = 0}));
  guard.Feed("\033cab\n");
  EXPECT_EQ(guard.cursor(), (Cursor{.row = 1, .col = 0}));
}

TEST(Guard, ALineFeedOfATerminalKeepsTheColumn) {
  Reports reports;
  Grid grid({4, 10}, {});
  Guard guard({4, 10}, &grid, &reports);
  guard.Feed("\033cab\n");
  EXPECT_EQ(guard.cursor(), (Cursor{.row = 1, .col = 2}));
}

}  // namespace
}  // namespace glasstty::terminal

// Tests what the interpreter promises its caller, beyond what a stream of bytes
// can request.
#include "terminal/interpreter.h"

#include <gtest/gtest.h>

namespace glasstty::terminal {
namespace {

// Behind a pipe there is no terminal driver, whatever a program resets.
TEST(Interpreter, ALineFeedOfAPipeBeginsANewLineAfterAResetToo) {
  Reports reports;
  Grid grid({4, 10}, {});
  Interpreter interpreter({4, 10}, &grid, &reports);
  interpreter.UseNewlines();
  interpreter.Feed("ab\n");
  EXPECT_EQ(interpreter.cursor(), (Cursor{.row = 1, .col = 0}));
  interpreter.Feed("\033cab\n");
  EXPECT_EQ(interpreter.cursor(), (Cursor{.row = 1, .col = 0}));
}

TEST(Interpreter, ALineFeedOfATerminalKeepsTheColumn) {
  Reports reports;
  Grid grid({4, 10}, {});
  Interpreter interpreter({4, 10}, &grid, &reports);
  interpreter.Feed("\033cab\n");
  EXPECT_EQ(interpreter.cursor(), (Cursor{.row = 1, .col = 2}));
}

}  // namespace
}  // namespace glasstty::terminal

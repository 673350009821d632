// Tests parts of a screen, for windows that are smaller.
#include "observe/frame.h"

#include <gtest/gtest.h>

#include "frames.h"

namespace glasstty::observe {
namespace {

TEST(Frame, AWindowStaysWhereItIsWhileTheCursorIsInside) {
  Frame frame = FrameAfter({40, 120}, "\x1b[10;20H");
  EXPECT_EQ(CornerOf(frame, {24, 80}, {0, 0}), (Corner{0, 0}));
  EXPECT_EQ(CornerOf(frame, {24, 80}, {5, 7}), (Corner{5, 7}));
}

TEST(Frame, AWindowFollowsTheCursorNoFurtherThanItMust) {
  Frame frame = FrameAfter({40, 120}, "\x1b[30;100H");
  EXPECT_EQ(CornerOf(frame, {24, 80}, {0, 0}), (Corner{6, 20}));
  frame.cursor = {.row = 2, .col = 3};
  EXPECT_EQ(CornerOf(frame, {24, 80}, {6, 20}), (Corner{2, 3}));
}

TEST(Frame, AWindowShowsNothingBeyondTheScreen) {
  Frame frame = FrameAfter({40, 120}, "\x1b[40;120H");
  EXPECT_EQ(CornerOf(frame, {24, 80}, {90, 90}), (Corner{16, 40}));
  EXPECT_EQ(CornerOf(frame, {50, 200}, {3, 3}), (Corner{0, 0}));
  Frame part = PartOf(frame, {50, 200}, {0, 0});
  EXPECT_EQ(part, frame);
}

TEST(Frame, APartHasItsTextStylesAndCursor) {
  Frame frame = FrameAfter({4, 12},
                           "first\r\n0123\x1b[31m4567\x1b[m89\r\nthird"
                           "\x1b[2;5H");
  Frame part = PartOf(frame, {2, 4}, {1, 3});
  ASSERT_EQ(part.rows.size(), 2u);
  EXPECT_EQ(part.rows[0].text, "3456");
  ASSERT_EQ(part.rows[0].styles.size(), 1u);
  EXPECT_EQ(part.rows[0].styles[0].col, 1);
  EXPECT_EQ(part.rows[0].styles[0].cols, 3);
  EXPECT_EQ(part.rows[1].text, "rd");
  EXPECT_EQ(part.cursor, (terminal::Cursor{.row = 0, .col = 1}));
}

TEST(Frame, APartThatCutsAWideGlyphIsBlankThere) {
  Frame frame = FrameAfter({2, 12}, "a漢字b");
  EXPECT_EQ(PartOf(frame, {1, 3}, {0, 2}).rows[0].text, " 字");
  EXPECT_EQ(PartOf(frame, {1, 3}, {0, 1}).rows[0].text, "漢");
}

TEST(Frame, ACursorOutsideOfAPartIsHidden) {
  Frame frame = FrameAfter({4, 12}, "\x1b[4;12H");
  EXPECT_FALSE(PartOf(frame, {2, 4}, {0, 0}).cursor.visible);
}

TEST(Frame, APartOfARowThatIsMissingIsBlank) {
  Frame frame = FrameAfter({4, 12}, "text");
  frame.rows.clear();
  EXPECT_EQ(PartOf(frame, {2, 4}, {0, 0}).rows[1].text, "");
}

}  // namespace
}  // namespace glasstty::observe

#include "view/pointer_sign.h"

#include <gtest/gtest.h>

#include <string>

#include "view/focus_screen.h"

namespace glasstty::view {
namespace {

// The cursor is kept out of the way of what `bytes` draw.
std::string PointedAt(const std::string& bytes) {
  return FindPointedAt(ScreenAfter(bytes + At(8, 1, "")));
}

std::string Bold(const std::string& text) { return Styled("1", text); }

// As fzf without backgrounds.
TEST(PointerSign, ASignInFrontPointsAtItsEntry) {
  EXPECT_EQ(Focus("  one\r\n\033[1m>\033[m two\r\n  three\r\n\r\n> "),
            Texts{"> two"});
}

TEST(PointerSign, ASignWithoutStyleOrBesideOthersPointsAtNothing) {
  EXPECT_EQ(Focus("  one\r\n> two\r\n  three\r\n"), Texts{});
  EXPECT_EQ(Focus("\033[1m>\033[m one\r\n\033[1m>\033[m two\r\n  three\r\n"),
            Texts{});
  EXPECT_EQ(Focus("one\r\n\033[1m>\033[m two\r\nthree\r\n"), Texts{});
  // Where the cursor is, it is a prompt.
  EXPECT_EQ(Focus("  one\r\n\033[1m>\033[m two"), Texts{});
}

TEST(PointerSign, TheListMayBeOnEitherSideOfTheEntry) {
  std::string entry = Bold(">") + " two";
  EXPECT_EQ(PointedAt(At(1, 3, "one") + At(2, 1, entry)), "> two");
  EXPECT_EQ(PointedAt(At(4, 3, "one") + At(5, 1, entry)), "> two");
  EXPECT_EQ(PointedAt(At(1, 1, entry) + At(2, 3, "three")), "> two");
  EXPECT_EQ(PointedAt(At(4, 1, "title") + At(5, 1, entry) + At(6, 3, "three")),
            "> two");
  EXPECT_EQ(PointedAt(At(11, 3, "one") + At(12, 1, entry)), "> two");
}

TEST(PointerSign, WithoutAListItPointsAtNothing) {
  std::string entry = Bold(">") + " two";
  for (int row : {1, 5, 12}) {
    EXPECT_EQ(PointedAt(At(row, 1, entry)), "") << row;
  }
  // A blank row is none.
  EXPECT_EQ(PointedAt(At(3, 3, "one") + At(5, 1, entry) + At(7, 3, "six")), "");
}

TEST(PointerSign, TheSignItselfIsStyled) {
  std::string list = At(5, 5, "three");
  EXPECT_EQ(PointedAt(At(4, 3, Bold(">") + " two") + list), "> two");
  EXPECT_EQ(PointedAt(At(4, 3, "> " + Bold("two")) + list), "");
  EXPECT_EQ(PointedAt(At(4, 1, Styled("4", "  ") + "> two") + list), "");
}

TEST(PointerSign, OneBlankPartsItFromTheEntry) {
  std::string list = At(5, 3, "three");
  for (const char* row : {">two", ">  two", ">>two", "x two"}) {
    EXPECT_EQ(PointedAt(At(4, 1, Bold(row)) + list), "") << row;
  }
  EXPECT_EQ(PointedAt(At(4, 1, Bold("> two")) + list), "> two");
  EXPECT_EQ(PointedAt(At(4, 1, Bold("\u276F two")) + list), "\u276F two");
}

}  // namespace
}  // namespace glasstty::view

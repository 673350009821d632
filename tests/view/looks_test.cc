#include "view/looks.h"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <utility>

#include "terminal/terminal.h"

namespace glasstty::view {
namespace {

Looks LooksAfter(std::string_view bytes) {
  auto terminal = terminal::Terminal::Create({.size = {6, 20}});
  (*terminal)->Feed(bytes);
  return LooksOf((*terminal)->TakeSnapshot());
}

TEST(Looks, TextAloneDoesNotChangeThem) {
  EXPECT_EQ(RowsWithNewLooks(LooksAfter("one\r\ntwo"), LooksAfter("2\r\nx")),
            "");
}

TEST(Looks, ColoursAttributesAndTheirPlaceChangeThem) {
  Looks plain = LooksAfter("one\r\ntwo");
  EXPECT_EQ(RowsWithNewLooks(plain, LooksAfter("one\r\n\x1b[7mtwo")), "row 2");
  EXPECT_EQ(RowsWithNewLooks(plain, LooksAfter("\x1b[31mone\x1b[m\r\ntwo")),
            "row 1");
  EXPECT_EQ(RowsWithNewLooks(LooksAfter("\x1b[1mon\x1b[me"),
                             LooksAfter("o\x1b[1mne")),
            "row 1");
  EXPECT_EQ(RowsWithNewLooks(LooksAfter("\x1b[44mo"), LooksAfter("\x1b[46mo")),
            "row 1");
}

TEST(Looks, RowsThatFollowEachOtherAreNamedTogether) {
  EXPECT_EQ(RowsWithNewLooks({0, 0, 0, 0, 0}, {1, 1, 0, 0, 1}), "rows 1-2, 5");
  EXPECT_EQ(RowsWithNewLooks({0, 0, 0}, {0, 1, 1}), "rows 2-3");
}

TEST(Looks, ManyRowsHereAndThereAreCounted) {
  EXPECT_EQ(RowsWithNewLooks(Looks(9, 0), {1, 0, 1, 0, 1, 0, 1, 0, 1}),
            "5 rows");
}

TEST(Looks, ScreensOfOtherHeightsAreNotCompared) {
  EXPECT_EQ(RowsWithNewLooks({0, 0}, {1, 1, 1}), "");
}

}  // namespace
}  // namespace glasstty::view

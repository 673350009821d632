// Tests the colours of pictures: text can be read whatever colours a program
// chooses, and drawings keep theirs.
#include "picture/theme.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "terminal/colors.h"

namespace glasstty::picture {
namespace {

using terminal::Contrast;
using terminal::kDefaultColor;
using terminal::kPaletteColor;
using terminal::Style;

constexpr double kReadable = 4.5;

// The default and the sixteen colours of the palette.
std::vector<terminal::Color> BaseColors() {
  std::vector<terminal::Color> colors = {kDefaultColor};
  for (terminal::Color i = 0; i < 16; ++i) colors.push_back(kPaletteColor + i);
  return colors;
}

TEST(Theme, TextOfEachColourCanBeReadOnEach) {
  for (bool light : {false, true}) {
    Theme theme(light, /*reverse=*/false);
    for (terminal::Color foreground : BaseColors()) {
      for (terminal::Color background : BaseColors()) {
        for (int attributes :
             {0, int{terminal::kFaint}, int{terminal::kReverse}}) {
          Style style;
          style.foreground = foreground;
          style.background = background;
          style.attributes = static_cast<uint16_t>(attributes);
          Look look = theme.LookOf(style);
          EXPECT_GE(Contrast(look.foreground, look.background), kReadable)
              << light << " " << foreground << " on " << background;
        }
      }
    }
  }
}

TEST(Theme, ColoursThatCanBeReadAreNotChanged) {
  EXPECT_EQ(MakeReadable(0xE5E510, 0x1E1E1E), 0xE5E510u);
  EXPECT_EQ(MakeReadable(0x24292F, 0xFFFFFF), 0x24292Fu);
}

TEST(Theme, AColourMovesNoFurtherThanItMust) {
  for (auto [text, background] : std::vector<std::pair<Rgb, Rgb>>{
           {0x2472C8, 0x1E1E1E}, {0xFFFFFF, 0xFFFFFF}, {0x000000, 0x000000}}) {
    double contrast = Contrast(MakeReadable(text, background), background);
    EXPECT_GE(contrast, kReadable);
    EXPECT_LT(contrast, kReadable + 0.2);
  }
}

TEST(Theme, DrawingsKeepTheirColours) {
  Theme theme(/*light=*/false, /*reverse=*/false);
  Style style;
  style.foreground = kPaletteColor + 4;
  Rgb blue = theme.base(4);
  EXPECT_EQ(theme.LookOf(style, "█").foreground, blue);
  EXPECT_NE(theme.LookOf(style, "a").foreground, blue);
}

TEST(Theme, ConcealedTextStaysInvisible) {
  Theme theme(/*light=*/true, /*reverse=*/false);
  Style style;
  style.attributes = terminal::kConceal;
  Look look = theme.LookOf(style);
  EXPECT_EQ(look.foreground, look.background);
}

}  // namespace
}  // namespace glasstty::picture

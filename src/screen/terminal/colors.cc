#include "terminal/colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace glasstty::terminal {
namespace {

// WCAG 2 requires 4.5 for text. At 1.2 even large letters are invisible.
constexpr double kLowestContrast = 1.2;
// The darkest and the lightest of common dark backgrounds.
constexpr Rgb kDarkBackgrounds[] = {0x000000, 0x1E1E1E};

constexpr Rgb CubeStep(int value) {
  return value == 0 ? 0 : static_cast<Rgb>(55 + 40 * value);
}

// Builds xterm's colour cube and greys. The first sixteen colours are those of
// the dark theme.
constexpr std::array<Rgb, 256> MakeIndexed() {
  std::array<Rgb, 256> colors{};
  for (int i = 0; i < 16; ++i) colors[i] = kDarkPalette[i];
  for (int i = 0; i < 216; ++i) {
    colors[16 + i] =
        CubeStep(i / 36) << 16 | CubeStep(i / 6 % 6) << 8 | CubeStep(i % 6);
  }
  for (int i = 0; i < 24; ++i) {
    colors[232 + i] = static_cast<Rgb>(8 + 10 * i) * 0x010101;
  }
  return colors;
}
constexpr std::array<Rgb, 256> kIndexed = MakeIndexed();

// Converts a channel of sRGB to an amount of light (WCAG 2, "relative
// luminance").
std::array<double, 256> MakeLight() {
  std::array<double, 256> light{};
  for (size_t i = 0; i < light.size(); ++i) {
    double c = static_cast<double>(i) / 255;
    light[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return light;
}

double Luminance(Rgb color) {
  static const std::array<double, 256> light = MakeLight();
  return 0.2126 * light[color >> 16 & 0xFF] +
         0.7152 * light[color >> 8 & 0xFF] + 0.0722 * light[color & 0xFF];
}

// Returns true if the colours differ so much that people distinguish them at
// any luminance. This is so for most pairs, and saves computing the contrast.
// Blue must differ more, because it adds little light.
bool DifferClearly(Rgb a, Rgb b) {
  auto differ = [a, b](int shift, int least) {
    auto by = static_cast<int>(a >> shift & 0xFF) -
              static_cast<int>(b >> shift & 0xFF);
    return by >= least || by <= -least;
  };
  return differ(16, 64) || differ(8, 64) || differ(0, 128);
}

bool IsHidden(Rgb text, Rgb background) {
  if (DifferClearly(text, background)) return false;
  return Contrast(text, background) < kLowestContrast;
}

// REQUIRES: color != kDefaultColor.
Rgb RgbOf(Color color) {
  return (color & kRgbColor) != 0 ? color & 0xFFFFFF : kIndexed[color & 0xFF];
}

bool IsHiddenOnDark(Rgb text) {
  return std::any_of(
      std::begin(kDarkBackgrounds), std::end(kDarkBackgrounds),
      [text](Rgb background) { return IsHidden(text, background); });
}

// The blocks of Unicode with symbols instead of scripts: general punctuation,
// arrows, mathematics, boxes, blocks, shapes, braille; and the private use
// areas, where fonts for terminals have icons.
struct Block {
  uint32_t first;
  uint32_t last;
};
constexpr Block kSymbols[] = {
    {0x2000, 0x2BFF}, {0x3000, 0x303F}, {0xE000, 0xF8FF}, {0xF0000, 0x10FFFF}};

}  // namespace

double Contrast(Rgb a, Rgb b) {
  double brighter = Luminance(a), darker = Luminance(b);
  if (brighter < darker) std::swap(brighter, darker);
  return (brighter + 0.05) / (darker + 0.05);
}

Rgb IndexedColor(int index) { return kIndexed[index]; }

bool HasLowContrast(const Style& style) {
  bool is_reverse = (style.attributes & kReverse) != 0;
  Color foreground = style.foreground;
  // Many terminals brighten the first eight colours if the text is bold.
  bool is_brightened = !is_reverse && (style.attributes & kBold) != 0 &&
                       (foreground & kPaletteColor) != 0 &&
                       foreground < kPaletteColor + 8;
  if (is_brightened) foreground += 8;
  if (foreground == kDefaultColor) return false;
  if (style.background == kDefaultColor) {
    return IsHiddenOnDark(RgbOf(foreground));
  }
  // IsHidden is symmetric, so reverse does not matter.
  return IsHidden(RgbOf(foreground), RgbOf(style.background));
}

bool IsWordCharacter(uint32_t text) {
  if (text < 0x80) {
    return (text >= 'a' && text <= 'z') || (text >= 'A' && text <= 'Z') ||
           (text >= '0' && text <= '9');
  }
  // A character with marks is a letter, or an emoji.
  if (text >= kClusterBase) return true;
  return text >= 0xC0 && std::none_of(std::begin(kSymbols), std::end(kSymbols),
                                      [text](const Block& block) {
                                        return text >= block.first &&
                                               text <= block.last;
                                      });
}

}  // namespace glasstty::terminal

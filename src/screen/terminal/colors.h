// Resolves the numbers of colours, and decides whether text in one colour is
// legible on another. Pure functions.
//
// A program could hide text from the person at the screen and still show it to
// a model. Equal colours are only the simplest way to do that, so the decision
// is based on the contrast that a person perceives.
#pragma once

#include <cstdint>

#include "terminal/cell.h"

namespace glasstty::terminal {

using Rgb = uint32_t;  // 0xRRGGBB

// The first sixteen colours of the palette on a dark background, on which all
// but black are legible.
inline constexpr Rgb kDarkPalette[] = {
    0x000000, 0xCD3131, 0x0DBC79, 0xE5E510, 0x2472C8, 0xBC3FBC,
    0x11A8CD, 0xE5E5E5, 0x666666, 0xF14C4C, 0x23D18B, 0xF5F543,
    0x3B8EEA, 0xD670D6, 0x29B8DB, 0xFFFFFF,
};
// Returns a colour of xterm's colour cube or greys. REQUIRES: 16 <= index <=
// 255.
Rgb IndexedColor(int index);

// Returns the contrast ratio of WCAG 2: 1 for equal colours, 21 for black on
// white.
double Contrast(Rgb a, Rgb b);

// Returns true if text is concealed, or has the colour of its background.
// Default colours are not compared, because they are unknown. Bold text in one
// of the first eight colours counts as visible, because most terminals brighten
// it.
inline bool ConcealsText(const Style& style) {
  bool brightened =
      (style.attributes & kBold) != 0 && style.foreground < kPaletteColor + 8;
  bool same = style.foreground == style.background && style.foreground != 0;
  return (same && !brightened) || (style.attributes & kConceal) != 0;
}

// Returns true if the contrast of the two colours is too low for people to
// perceive.
bool HasLowContrast(const Style& style);

// Returns true if people cannot read text of this style. The default background
// is assumed to be dark, and the default foreground to be legible.
inline bool IsUnreadable(const Style& style) {
  // Handle the usual cases quickly. Of the first sixteen colours, only black
  // can be illegible on a dark background.
  bool is_plain = style.background == kDefaultColor &&
                  (style.foreground == kDefaultColor ||
                   style.foreground - (kPaletteColor + 1) < 15);
  return ConcealsText(style) || (!is_plain && HasLowContrast(style));
}

// Returns true if a cell's `text` is part of a word, and not a blank,
// punctuation, a line or block drawing or a private symbol.
bool IsWordCharacter(uint32_t text);

}  // namespace glasstty::terminal

#include "picture/theme.h"

#include <utility>

namespace glasstty::picture {
namespace {

// Sixteen colours that can be read on their background; xterm's own are hard to
// read on either.
constexpr Rgb kDark[] = {
    0x000000, 0xCD3131, 0x0DBC79, 0xE5E510, 0x2472C8, 0xBC3FBC,
    0x11A8CD, 0xE5E5E5, 0x666666, 0xF14C4C, 0x23D18B, 0xF5F543,
    0x3B8EEA, 0xD670D6, 0x29B8DB, 0xFFFFFF,
};
constexpr Rgb kLight[] = {
    0x000000, 0xC0262D, 0x0B7A3B, 0x8A6500, 0x0451A5, 0xA3209B,
    0x04708A, 0xD0D0D0, 0x666666, 0xD93A3A, 0x128A4A, 0xA57A00,
    0x2F73D6, 0xC23CBB, 0x0A8CA8, 0xF2F2F2,
};

// The colour cube and the greys of xterm.
Rgb IndexedColor(int index) {
  if (index >= 232) {
    return static_cast<Rgb>(8 + 10 * (index - 232)) * 0x010101;
  }
  index -= 16;
  auto step = [](int value) -> Rgb {
    return value == 0 ? 0 : static_cast<Rgb>(55 + 40 * value);
  };
  return step(index / 36) << 16 | step(index / 6 % 6) << 8 | step(index % 6);
}

}  // namespace

Rgb Mix(Rgb under, Rgb over, int share) {
  Rgb out = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    int from = static_cast<int>(under >> shift & 0xFF);
    int to = static_cast<int>(over >> shift & 0xFF);
    // Exact at both ends.
    int value = (from * (255 - share) + to * share + 127) / 255;
    out |= static_cast<Rgb>(value) << shift;
  }
  return out;
}

// Neither pure black nor pure white: a program that paints those itself can be
// told from one that leaves its background alone.
Theme::Theme(bool light, bool reverse)
    : base_(light ? kLight : kDark),
      foreground_(light ? 0x24292F : 0xD4D4D4),
      background_(light ? 0xFFFFFF : 0x1E1E1E) {
  if (reverse) std::swap(foreground_, background_);
}

// Bold does not brighten, as nowhere in glasstty.
Rgb Theme::ColorOf(terminal::Color color, Rgb fallback) const {
  if (color == terminal::kDefaultColor) return fallback;
  if ((color & terminal::kRgbColor) != 0) return color & 0xFFFFFF;
  int index = static_cast<int>(color & 0xFF);
  return index < 16 ? base_[index] : IndexedColor(index);
}

// In the order in which terminals do it: reverse first, so that faint dims what
// is then the text.
Look Theme::LookOf(const terminal::Style& style) const {
  Look look = {ColorOf(style.foreground, foreground_),
               ColorOf(style.background, background_)};
  if ((style.attributes & terminal::kReverse) != 0) {
    std::swap(look.foreground, look.background);
  }
  if ((style.attributes & terminal::kFaint) != 0) {
    look.foreground = Mix(look.background, look.foreground, 140);
  }
  if ((style.attributes & terminal::kConceal) != 0)
    look.foreground = look.background;
  return look;
}

// Blinking ones are drawn as if they were lit.
CursorShape ShapeOfCursor(const observe::Frame& frame) {
  if (!frame.cursor.visible) return CursorShape::kNone;
  int style = frame.modes.cursor_style;
  if (style >= 5) return CursorShape::kBar;
  return style >= 3 ? CursorShape::kUnderline : CursorShape::kBlock;
}

}  // namespace glasstty::picture

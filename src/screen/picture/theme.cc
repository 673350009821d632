#include "picture/theme.h"

#include <utility>

#include "base/utf8.h"
#include "picture/shapes.h"
#include "terminal/colors.h"

namespace glasstty::picture {
namespace {

constexpr double kReadable = 4.5;

// The first sixteen colours on a light background, on which all but the two
// whites are legible; xterm's own colours are hard to read on either
// background.
constexpr Rgb kLight[] = {
    0x000000, 0xC0262D, 0x0B7A3B, 0x8A6500, 0x0451A5, 0xA3209B,
    0x04708A, 0xD0D0D0, 0x666666, 0xD93A3A, 0x128A4A, 0xA57A00,
    0x2F73D6, 0xC23CBB, 0x0A8CA8, 0xF2F2F2,
};

}  // namespace

Rgb Mix(Rgb under, Rgb over, int share) {
  Rgb out = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    int from = static_cast<int>(under >> shift & 0xFF);
    int to = static_cast<int>(over >> shift & 0xFF);
    // The result is exact at both ends.
    int value = (from * (255 - share) + to * share + 127) / 255;
    out |= static_cast<Rgb>(value) << shift;
  }
  return out;
}

// Moves towards white if the text is lighter than the background, and otherwise
// towards black; or towards the other of these two if the first is too similar
// to the background. On the way there, the contrast is too low up to some share
// and sufficient from there on. That share is found by bisection.
Rgb MakeReadable(Rgb text, Rgb background) {
  auto suffices = [background](Rgb color) {
    return terminal::Contrast(color, background) >= kReadable;
  };
  if (suffices(text)) return text;
  bool is_lighter =
      terminal::Contrast(text, 0) > terminal::Contrast(background, 0);
  Rgb extreme = is_lighter ? 0xFFFFFF : 0x000000;
  if (!suffices(extreme)) extreme ^= 0xFFFFFF;
  int too_little = 0, enough = 255;
  while (enough - too_little > 1) {
    int share = (too_little + enough) / 2;
    (suffices(Mix(text, extreme, share)) ? enough : too_little) = share;
  }
  return Mix(text, extreme, enough);
}

// The default colours of the dark theme are neither pure black nor pure white,
// so a program that paints pure black or white itself can be distinguished from
// one that leaves the default colours.
Theme::Theme(bool light, bool reverse)
    : base_(light ? kLight : terminal::kDarkPalette),
      foreground_(light ? 0x24292F : 0xD4D4D4),
      background_(light ? 0xFFFFFF : 0x1E1E1E) {
  if (reverse) std::swap(foreground_, background_);
}

// Does not brighten bold text.
Rgb Theme::ColorOf(terminal::Color color, Rgb fallback) const {
  if (color == terminal::kDefaultColor) return fallback;
  if ((color & terminal::kRgbColor) != 0) return color & 0xFFFFFF;
  int index = static_cast<int>(color & 0xFF);
  return index < 16 ? base_[index] : terminal::IndexedColor(index);
}

// Applies attributes in the order in which terminals do: reverse comes first,
// so faint dims the colour of the text after the swap.
Look Theme::LookOf(const terminal::Style& style, Content content) const {
  Look look = {ColorOf(style.foreground, foreground_),
               ColorOf(style.background, background_)};
  if ((style.attributes & terminal::kReverse) != 0) {
    std::swap(look.foreground, look.background);
  }
  if ((style.attributes & terminal::kFaint) != 0) {
    look.foreground = Mix(look.background, look.foreground, 140);
  }
  if ((style.attributes & terminal::kConceal) != 0) {
    look.foreground = look.background;
  } else if (content == Content::kText) {
    look.foreground = MakeReadable(look.foreground, look.background);
  }
  return look;
}

Look Theme::LookOf(const terminal::Style& style, std::string_view text) const {
  bool is_drawing = text.size() > 1 && HasShape(TakeUtf8(&text));
  return LookOf(style, is_drawing ? Content::kDrawing : Content::kText);
}

Look UnderCursor(Look look) {
  if (look.foreground == look.background) {
    look.foreground = Mix(look.background, ~look.background & 0xFFFFFF, 160);
  }
  std::swap(look.foreground, look.background);
  return look;
}

// Blinking cursors are drawn as if they were on.
CursorShape ShapeOfCursor(const observe::Frame& frame) {
  if (!frame.cursor.visible) return CursorShape::kNone;
  int style = frame.modes.cursor_style;
  if (style >= 5) return CursorShape::kBar;
  return style >= 3 ? CursorShape::kUnderline : CursorShape::kBlock;
}

}  // namespace glasstty::picture

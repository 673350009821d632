// Parses SGR in all its forms: semicolons, colons with and without a colour
// space, empty parameters that mean 0.
#include "terminal/pen.h"

#include <array>

#include "absl/strings/str_format.h"

namespace glasstty::terminal {
namespace {

constexpr uint16_t kUnderlineBits = kUnderlineLow | kUnderlineHigh;
constexpr uint16_t kDoubleUnderline = kUnderlineHigh;

struct AttributeRow {
  int code;
  uint16_t clear;
  uint16_t set;
};
// Each row clears some bits, then sets some. 22 ends bold and faint together.
constexpr AttributeRow kAttributes[] = {
    {1, 0, kBold},           {2, 0, kFaint},
    {3, 0, kItalic},         {4, kUnderlineBits, kUnderlineLow},
    {5, 0, kBlink},          {6, 0, kBlink},
    {7, 0, kReverse},        {8, 0, kConceal},
    {9, 0, kStrike},         {21, kUnderlineBits, kDoubleUnderline},
    {22, kBold | kFaint, 0}, {23, kItalic, 0},
    {24, kUnderlineBits, 0}, {25, kBlink, 0},
    {27, kReverse, 0},       {28, kConceal, 0},
    {29, kStrike, 0},        {53, 0, kOverline},
    {55, kOverline, 0},
};

struct PaletteRow {
  int first, last;  // a range of SGR codes
  int color;        // palette index of the first code
  Color Style::*target;
};
constexpr PaletteRow kPalette[] = {
    {30, 37, 0, &Style::foreground},
    {40, 47, 0, &Style::background},
    {90, 97, 8, &Style::foreground},
    {100, 107, 8, &Style::background},
};

// Parses 38, 48 or 58 at `at`, whose colon group ends at `last`. Returns the
// index of its last value; `color` stays default if it is ill-formed. Values
// out of range invalidate the colour; libvterm would use them modulo 256.
int ParseColor(const Csi& csi, int at, int last, Color* color) {
  bool colons = last > at;
  int kind = csi.Value(at + 1, -1);
  int needed = kind == 5 ? 1 : kind == 2 ? 3 : 0;
  int first = at + 2;
  // 38:2:SPACE:r:g:b has one member more than 38:2:r:g:b.
  if (colons && kind == 2 && last - at >= 5) ++first;
  int end = colons ? last + 1 : csi.count;
  // Without colons, the end of an ill-formed colour is unknown, so the
  // remaining values are skipped.
  if (needed == 0 || first + needed > end) return end - 1;
  Color value = kind == 5 ? kPaletteColor : kRgbColor;
  bool in_range = true;
  for (int i = 0; i < needed; ++i) {
    int part = csi.Value(first + i, 0);
    in_range = in_range && part <= 255;
    value |= static_cast<Color>(part & 255) << (8 * (needed - 1 - i));
  }
  if (in_range) *color = value;
  return colons ? last : first + needed - 1;
}

// Sets the underline styles 4:0 to 4:5.
void SetUnderline(int kind, Style* style) {
  if (kind > 3) kind = 1;  // dotted and dashed become single
  style->attributes &= ~kUnderlineBits;
  style->attributes |= kind << kUnderlineShift;
}

// The effect of each code. Indexing by code needs no search and no branches for
// the kinds of codes, which saves a fifth of the time of coloured output
// (measured by terminal_bench, feed/colours).
struct Effect {
  // bits of the old style to keep
  Style kept = {~Color{0}, ~Color{0}, UINT16_MAX};
  Style set;  // bits to add
  bool is_known = false;
};
constexpr auto kEffects = [] {
  std::array<Effect, 108> effects = {};
  for (const AttributeRow& row : kAttributes) {
    effects[row.code].kept.attributes = ~row.clear;
    effects[row.code].set.attributes = row.set;
    effects[row.code].is_known = true;
  }
  for (const PaletteRow& row : kPalette) {
    for (int i = row.first; i <= row.last; ++i) {
      auto index = static_cast<Color>(row.color + i - row.first);
      effects[i].kept.*row.target = 0;
      effects[i].set.*row.target = kPaletteColor | index;
      effects[i].is_known = true;
    }
  }
  effects[0] = {.kept = {}, .set = {}, .is_known = true};
  effects[39] = {.kept = {0, ~Color{0}, UINT16_MAX}, .is_known = true};
  effects[49] = {.kept = {~Color{0}, 0, UINT16_MAX}, .is_known = true};
  // The colour of underlines is not stored.
  effects[59].is_known = true;
  return effects;
}();

// Applies an attribute of one number. Fonts, frames and ideogram marks are
// intentionally not supported.
bool ApplySimple(int code, Style* style) {
  if (code >= static_cast<int>(kEffects.size())) return false;
  const Effect& effect = kEffects[code];
  style->foreground &= effect.kept.foreground;
  style->foreground |= effect.set.foreground;
  style->background &= effect.kept.background;
  style->background |= effect.set.background;
  style->attributes &= effect.kept.attributes;
  style->attributes |= effect.set.attributes;
  return effect.is_known;
}

// Uses the colon form, which is unambiguous.
void AppendColor(Color color, int base, std::string* out) {
  if (color == kDefaultColor) return;
  if ((color & kRgbColor) != 0) {
    *out += absl::StrFormat(";%d:2::%d:%d:%d", base, color >> 16 & 255,
                            color >> 8 & 255, color & 255);
  } else {
    *out += absl::StrFormat(";%d:5:%d", base, color & 255);
  }
}

}  // namespace

// Applies group by group: a group is a code with the values that colons join to
// it. In the semicolon form, 38, 48 and 58 consume as many of the following
// values as their kind requires.
int ApplySgr(const Csi& csi, Style* style) {
  if (csi.count == 0) *style = Style();
  int unknown = 0;
  for (int i = 0; i < csi.count; ++i) {
    int last = i;
    while (csi.IsJoined(last)) ++last;
    int code = csi.Value(i, 0);
    if (code == 38 || code == 48 || code == 58) {
      Color color = kDefaultColor;
      i = ParseColor(csi, i, last, &color);
      if (color != kDefaultColor && code == 38) style->foreground = color;
      if (color != kDefaultColor && code == 48) style->background = color;
      continue;
    }
    if (code == 4 && last > i) {
      SetUnderline(csi.Value(i + 1, 0), style);
    } else if (last > i || !ApplySimple(code, style)) {
      ++unknown;
    }
    i = last;
  }
  return unknown;
}

// The result begins with 0, so that sending it back gives exactly this style.
std::string SgrParameters(const Style& style) {
  std::string out = "0";
  for (const AttributeRow& row : kAttributes) {
    bool is_set = row.set != 0 && (style.attributes & row.set) == row.set;
    // 6 means the same as 5; underlines follow below.
    if (!is_set || row.code == 6 || (row.set & kUnderlineBits) != 0) continue;
    out += absl::StrFormat(";%d", row.code);
  }
  int underline = (style.attributes & kUnderlineBits) >> kUnderlineShift;
  if (underline == 1) out += ";4";
  if (underline > 1) out += absl::StrFormat(";4:%d", underline);
  AppendColor(style.foreground, 38, &out);
  AppendColor(style.background, 48, &out);
  return out;
}

}  // namespace glasstty::terminal

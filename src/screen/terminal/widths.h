// Returns the number of columns that a code point takes (0, 1 or 2), and the
// traits by which it may join the code point before it in one glyph.
//
// Widths are those of the C library's wcwidth, with ambiguous ones narrow,
// because programs place the cursor by these widths. The traits are for
// programs that count columns by glyph (emoji sequences, flags); the cursor
// joins the code points (active_cursor.h). generate_widths.py generates the
// table at build time from the Debian package unicode-data.
#pragma once

#include <cstdint>

namespace glasstty::terminal {

// The bits of a table entry above those of the width.
enum CodePointTrait : uint8_t {
  kTakesSelector = 4,  // has a text and an emoji form, which U+FE0E and U+FE0F
                       // select
  kPictograph = 8,     // is part of an emoji if a joiner precedes it
  kSpacingMark = 16,   // is part of the letter before it, and takes a column
  kSkinTone = 32,      // colours the emoji before it
  kFlagHalf = 64,      // half of a flag
};
inline constexpr uint8_t kWidthBits = 3;
inline constexpr char32_t kJoiner = 0x200D;
inline constexpr char32_t kTextSelector = 0xFE0E;
inline constexpr char32_t kEmojiSelector = 0xFE0F;

// The table has two stages: blocks of 256 code points, with equal blocks stored
// once.
extern const uint8_t kWidthBlockOf[0x110000 >> 8];
extern const uint8_t kWidthBlocks[][256];

// REQUIRES: code_point <= U+10FFFF.
inline uint8_t TraitsOf(char32_t code_point) {
  return kWidthBlocks[kWidthBlockOf[code_point >> 8]][code_point & 0xFF];
}
inline int WidthOf(char32_t code_point) {
  return TraitsOf(code_point) & kWidthBits;
}

}  // namespace glasstty::terminal

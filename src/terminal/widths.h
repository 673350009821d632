// How many columns a code point takes: 0, 1 or 2.
//
// Counts as the programs on the other side do (wcwidth of the C library, code
// point by code point, ambiguous ones narrow), because a program that thinks
// otherwise places its cursor elsewhere. The table is made at build time by
// generate_widths.py from the Debian package unicode-data.
#pragma once

#include <cstdint>

namespace glasstty::terminal {

// Two stages: blocks of 256 code points, equal blocks stored once.
extern const uint8_t kWidthBlockOf[0x110000 >> 8];
extern const uint8_t kWidthBlocks[][256];

// REQUIRES: code_point <= U+10FFFF.
inline int WidthOf(char32_t code_point) {
  return kWidthBlocks[kWidthBlockOf[code_point >> 8]][code_point & 0xFF];
}

}  // namespace glasstty::terminal

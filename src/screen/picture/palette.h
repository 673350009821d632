// Chooses a palette of at most 256 colours for a picture. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "picture/canvas.h"

namespace glasstty::picture {

// A picture as indexes into its palette.
struct Indexed {
  std::vector<Rgb> palette;
  std::vector<uint8_t> pixels;
};

// If there are more than 256 colours, each is replaced by the nearest of 256,
// which are chosen so that neither large areas nor conspicuous colours change
// noticeably. REQUIRES: there is at least one pixel.
Indexed IndexColors(const std::vector<Rgb>& pixels);

}  // namespace glasstty::picture

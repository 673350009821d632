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

// If there are more colours, the nearest of 256 replaces each; they are chosen
// so that no large area and no very different colour changes. REQUIRES: there
// is a pixel.
Indexed IndexColors(const std::vector<Rgb>& pixels);

}  // namespace glasstty::picture

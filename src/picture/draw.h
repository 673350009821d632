// Draws a frame as pixels.
#pragma once

#include "absl/status/statusor.h"
#include "picture/canvas.h"
#include "picture/job.h"

namespace glasstty::picture {

struct Drawing {
  Canvas canvas;
  int px = 0;            // of the font, as chosen
  terminal::Size shown;  // rows and columns that are on it
  int missing = 0;       // glyphs that no font has, drawn as boxes
};

// Error: no such font.
absl::StatusOr<Drawing> DrawPicture(const Job& job);

}  // namespace glasstty::picture

// Draws a movie as an animated PNG or GIF. Each frame after the first contains
// only the rectangle that has changed. The movie repeats for ever.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "picture/draw.h"
#include "picture/movie.h"

namespace glasstty::picture {

struct DrawnMovie {
  std::string file;
  Drawing last;     // the last frame
  int missing = 0;  // the maximum number of glyphs in a frame that no font has
};

// Fails if the font is not usable, if frames differ in size, or if encoding
// fails. REQUIRES: there is at least one frame.
absl::StatusOr<DrawnMovie> DrawMovieFile(const Movie& movie);

}  // namespace glasstty::picture

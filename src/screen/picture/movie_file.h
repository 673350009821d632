// Draws a movie as an animated PNG or GIF. Each frame but the first has only
// the rectangle that has changed; it stays, and the movie is repeated for ever.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "picture/draw.h"
#include "picture/movie.h"

namespace glasstty::picture {

struct DrawnMovie {
  std::string file;
  Drawing last;     // the last frame
  int missing = 0;  // glyphs that no font has, in the worst frame
};

// Error: there is no such font, or frames differ in size. REQUIRES: there is a
// frame.
absl::StatusOr<DrawnMovie> DrawMovieFile(const Movie& movie);

}  // namespace glasstty::picture

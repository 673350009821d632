// Draws a movie as an animated PNG (the PNG specification, third edition): its
// first frame is an ordinary PNG, and each other frame has only the rectangle
// that has changed. No colour is lost. A text chunk "Moments" tells when the
// frames were shown, in seconds since the session began.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "picture/draw.h"
#include "picture/movie.h"

namespace glasstty::picture {

struct DrawnMovie {
  std::string file;
  Drawing last;     // the last frame
  int missing = 0;  // glyphs that no font has, in the worst frame
};

// It is repeated for ever. Error: there is no such font, or frames differ in
// size. REQUIRES: there is a frame.
absl::StatusOr<DrawnMovie> DrawMovieFile(const std::vector<MovieFrame>& movie);

}  // namespace glasstty::picture

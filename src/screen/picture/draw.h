// Draws frames as pixels.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "picture/canvas.h"
#include "picture/job.h"

namespace glasstty::picture {

struct Drawing {
  Canvas canvas;
  int px = 0;            // the size of the chosen font
  terminal::Size shown;  // rows and columns in the picture
  int missing = 0;       // glyphs that no font has, drawn as boxes
};

class Fonts;

// Draws many frames in the same fonts. Owns the fonts.
class Studio {
 public:
  // Opens the fonts that `job` names. Fails if there is no such font, or it is
  // not usable.
  static absl::StatusOr<Studio> Open(const Job& job);
  Studio(Studio&&) noexcept;
  ~Studio();

  // REQUIRES: `job` has the same options as the job of Open.
  Drawing Draw(const Job& job);

 private:
  Studio(std::unique_ptr<Fonts> fonts, int px);

  std::unique_ptr<Fonts> fonts_;
  const int px_;
};

// Draws a single frame. Fails like Studio::Open.
absl::StatusOr<Drawing> DrawPicture(const Job& job);

}  // namespace glasstty::picture

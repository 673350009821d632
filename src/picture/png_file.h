// Writes pixels as a PNG file with at most 256 colours.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "picture/canvas.h"

namespace glasstty::picture {

// A palette makes a quarter of the bytes. Where there are more colours, the
// nearest of 256 stands for each; they are chosen so that no large area and no
// very different colour changes.
// Error: what libpng says.
absl::StatusOr<std::string> EncodePng(const Canvas& canvas);

}  // namespace glasstty::picture

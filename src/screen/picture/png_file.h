// Writes pixels as a PNG file with at most 256 colours.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "picture/canvas.h"

namespace glasstty::picture {

// Returns the file. It has a palette (picture/palette.h), which takes only a
// quarter of the bytes that direct colours take. The error contains libpng's
// message.
absl::StatusOr<std::string> EncodePng(const Canvas& canvas);

}  // namespace glasstty::picture

// Writes pixels as a PNG file with at most 256 colours.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "picture/canvas.h"

namespace glasstty::picture {

// Uses a palette, which needs only a quarter of the bytes. If there are more
// colours, the nearest of 256 replaces each; they are chosen so that no large
// area and no very different colour changes. Error: the message of libpng.
absl::StatusOr<std::string> EncodePng(const Canvas& canvas);

}  // namespace glasstty::picture

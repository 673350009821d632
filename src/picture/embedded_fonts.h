// DejaVu Sans Mono, as Debian's fonts-dejavu-core has it, inside the program:
// pictures look the same on every machine, also on one without fonts.
#pragma once

#include <string_view>

namespace glasstty {

std::string_view EmbeddedRegular();
std::string_view EmbeddedBold();

}  // namespace glasstty

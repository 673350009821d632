// DejaVu Sans Mono (from Debian's fonts-dejavu-core), compiled in, so that
// pictures look the same on every machine, even one without fonts.
#pragma once

#include <string_view>

namespace glasstty::picture {

std::string_view EmbeddedRegular();
std::string_view EmbeddedBold();

}  // namespace glasstty::picture

// Encodes any bytes as text (RFC 4648, section 4). The decoder is in
// support/encodings.h. A pure function.
#pragma once

#include <string>
#include <string_view>

namespace glasstty {

// The text has padding.
std::string ToBase64(std::string_view bytes);

}  // namespace glasstty

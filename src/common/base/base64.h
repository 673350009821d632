// Encodes any bytes as base64 (RFC 4648, section 4). A pure function; the
// decoder is in support/encodings.h.
#pragma once

#include <string>
#include <string_view>

namespace glasstty {

// The result is padded with "=".
std::string ToBase64(std::string_view bytes);

}  // namespace glasstty

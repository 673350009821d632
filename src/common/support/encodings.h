// Decodes bytes that an agent has encoded as text, because JSON cannot carry
// arbitrary bytes. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace glasstty {

enum class Encoding {
  kUtf8,    // the text itself
  kAscii,   // the text itself, without characters beyond U+007F
  kLatin1,  // one byte per character, U+0000 to U+00FF
  kBase64,  // RFC 4648, both alphabets; whitespace is allowed, padding optional
  kHex,     // two digits per byte; whitespace is allowed
};

// Returns the bytes that `text` (UTF-8) encodes. The error reports an invalid
// character and its position (from 1), or an incomplete last byte.
absl::StatusOr<std::string> DecodeBytes(std::string_view text,
                                        Encoding encoding);

}  // namespace glasstty

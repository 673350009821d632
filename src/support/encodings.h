// Encodings of bytes as text, which agents use when JSON cannot carry the bytes
// themselves. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace glasstty {

enum class Encoding {
  kUtf8,    // the text itself
  kAscii,   // the same, and nothing beyond U+007F in it
  kLatin1,  // one byte a character, U+0000 to U+00FF
  kBase64,  // RFC 4648, both alphabets; blanks and missing padding are fine
  kHex,     // two digits a byte; blanks are fine
};

// The bytes that `text` (UTF-8) stands for. Error: what does not belong, and
// at which character, counted from 1.
absl::StatusOr<std::string> DecodeBytes(std::string_view text,
                                        Encoding encoding);

// Of any bytes, with padding (RFC 4648, section 4).
std::string ToBase64(std::string_view bytes);

}  // namespace glasstty

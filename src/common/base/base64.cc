#include "base/base64.h"

#include <algorithm>
#include <cstdint>

namespace glasstty {

std::string ToBase64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t group = 0;
    size_t count = std::min<size_t>(3, bytes.size() - at);
    for (size_t i = 0; i < 3; ++i) {
      group <<= 8;
      if (i < count) group |= static_cast<uint8_t>(bytes[at + i]);
    }
    // A group of n bytes has n + 1 digits.
    for (size_t i = 0; i < 4; ++i) {
      size_t digit = group >> (18 - 6 * i) & 63;
      text += i <= count ? kDigits[digit] : '=';
    }
  }
  return text;
}

}  // namespace glasstty

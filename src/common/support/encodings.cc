#include "support/encodings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/utf8.h"
#include "support/status.h"

namespace glasstty {
namespace {

// The values of characters that are not digits of base64 or hex.
constexpr int kNoDigit = -1;
constexpr int kBlank = -2;
constexpr int kPadding = -3;

absl::Status BadCharacter(std::string_view name, char32_t c, size_t place) {
  return InvalidArgument("%s: character %d (U+%04X) does not belong there",
                         name, place, static_cast<uint32_t>(c));
}

// Converts each character to one byte. Fails if a character is above `last`.
absl::StatusOr<std::string> DecodeNarrow(std::string_view text, char32_t last,
                                         std::string_view name) {
  std::string bytes;
  for (size_t place = 1; !text.empty(); ++place) {
    char32_t c = TakeUtf8(&text);
    if (c > last) return BadCharacter(name, c, place);
    bytes += static_cast<char>(c);
  }
  return bytes;
}

int Base64Digit(char32_t c) {
  if (c >= 'A' && c <= 'Z') return static_cast<int>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<int>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<int>(c - '0') + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return c == '=' ? kPadding : kNoDigit;
}

int HexDigit(char32_t c) {
  if (c >= '0' && c <= '9') return static_cast<int>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<int>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<int>(c - 'A') + 10;
  return kNoDigit;
}

// Decodes digits of `width` bits. Drops the remaining bits of the last digit,
// as RFC 4648 allows. Fails if the last digit completes no byte.
absl::StatusOr<std::string> DecodeDigits(std::string_view text, int width,
                                         int (*digit)(char32_t),
                                         std::string_view name) {
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  bool padded = false;
  for (size_t place = 1; !text.empty(); ++place) {
    char32_t c = TakeUtf8(&text);
    bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    int value = blank ? kBlank : digit(c);
    if (value == kBlank) continue;
    padded |= value == kPadding;
    if (value == kNoDigit || (padded && value != kPadding)) {
      return BadCharacter(name, c, place);
    }
    if (padded) continue;
    bits = bits << width | static_cast<uint32_t>(value);
    count += width;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  if (count >= width) {
    return InvalidArgument("%s: it ends in the middle of a byte", name);
  }
  return bytes;
}

}  // namespace

absl::StatusOr<std::string> DecodeBytes(std::string_view text,
                                        Encoding encoding) {
  switch (encoding) {
    case Encoding::kUtf8:
      return std::string(text);
    case Encoding::kAscii:
      return DecodeNarrow(text, 0x7F, "ascii");
    case Encoding::kLatin1:
      return DecodeNarrow(text, 0xFF, "latin1");
    case Encoding::kBase64:
      return DecodeDigits(text, 6, Base64Digit, "base64");
    case Encoding::kHex:
      return DecodeDigits(text, 4, HexDigit, "hex");
  }
  return std::string();
}

}  // namespace glasstty

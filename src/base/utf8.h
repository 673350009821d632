// UTF-8, one code point at a time, for input that may be invalid or truncated.
//
// Pure functions and one small state machine, which allocate only in the
// strings that they are given. Each maximal ill-formed part becomes U+FFFD, as
// the Unicode standard recommends (section 3.9, "U+FFFD Substitution of Maximal
// Subparts").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glasstty {

inline constexpr char32_t kReplacement = 0xFFFD;

// Writes `code_point` to `out` and returns how many bytes it takes, kMaxUtf8 at
// most; surrogates and values above U+10FFFF as U+FFFD.
inline constexpr size_t kMaxUtf8 = 4;
inline size_t EncodeUtf8(char32_t code_point, char* out) {
  char32_t c = code_point;
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = kReplacement;
  size_t size = 0;
  auto put = [&](char32_t byte) { out[size++] = static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
  return size;
}
// The same, appended to `out`.
void AppendUtf8(char32_t code_point, std::string* out);

// Takes the first code point off `text`. Ill-formed or cut bytes give
// U+FFFD; at least one byte is taken. REQUIRES: !text->empty().
char32_t TakeUtf8(std::string_view* text);

bool IsValidUtf8(std::string_view text);
// `text` with each ill-formed part replaced by U+FFFD.
std::string ToValidUtf8(std::string_view text);
size_t CountCodePoints(std::string_view text);

// The longest prefix of at most `limit` bytes that cuts no code point.
std::string_view Utf8Prefix(std::string_view text, size_t limit);

// Decodes a stream of bytes that may be split anywhere.
class Utf8Decoder {
 public:
  enum class Step {
    kMore,      // the byte was taken, the code point is not complete
    kDone,      // the byte completed `*out`
    kBad,       // the byte was taken and is bad by itself: `*out` is U+FFFD
    kBadRetry,  // what came before was cut: `*out` is U+FFFD, the byte was not
                // taken and must be handed in again
  };
  Step Feed(uint8_t byte, char32_t* out);
  // True between the first and the last byte of a code point.
  bool pending() const { return missing_ > 0; }
  void Reset() { missing_ = 0; }

 private:
  char32_t value_ = 0;
  int missing_ = 0;     // continuation bytes still to come
  uint8_t low_ = 0x80;  // what the next one may be
  uint8_t high_ = 0xBF;
};

}  // namespace glasstty

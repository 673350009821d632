// UTF-8, one code point at a time, for input that may be invalid or truncated.
//
// Pure functions and one small state machine. Each maximal ill-formed part of
// the input becomes U+FFFD, as the Unicode standard recommends (section 3.9,
// "U+FFFD Substitution of Maximal Subparts").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glasstty {

inline constexpr char32_t kReplacement = 0xFFFD;

// Writes `code_point` to `out` and returns how many bytes it takes, at most
// kMaxUtf8. Surrogates and values above U+10FFFF become U+FFFD.
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
// Appends `code_point` to `out` in the same way.
void AppendUtf8(char32_t code_point, std::string* out);

// Removes the first code point from `text` and returns it. Returns U+FFFD for
// ill-formed or truncated bytes. Removes at least one byte. REQUIRES:
// !text->empty().
char32_t TakeUtf8(std::string_view* text);

bool IsValidUtf8(std::string_view text);
// Returns `text` with each ill-formed part replaced by U+FFFD.
std::string ToValidUtf8(std::string_view text);
size_t CountCodePoints(std::string_view text);
// Returns true if the byte continues a code point (10xxxxxx).
constexpr bool IsContinuation(char c) {
  return (static_cast<uint8_t>(c) & 0xC0) == 0x80;
}

// Returns the longest prefix of at most `limit` bytes that splits no code
// point.
std::string_view Utf8Prefix(std::string_view text, size_t limit);

// Decodes a stream of bytes that may be split anywhere.
class Utf8Decoder {
 public:
  enum class Step {
    kMore,  // the byte was consumed, the code point is incomplete
    kDone,  // the byte completed `*out`
    kBad,   // the byte was consumed and is invalid: `*out` is U+FFFD
    // the sequence before the byte was cut short: `*out` is U+FFFD, and the
    // byte must be fed again
    kBadRetry,
  };
  Step Feed(uint8_t byte, char32_t* out);
  // Returns true if a code point is incomplete.
  bool pending() const { return missing_ > 0; }
  void Reset() { missing_ = 0; }

  // The part of a code point that has been read so far.
  struct Progress {
    char32_t value = 0;
    int missing = 0;     // continuation bytes still to come
    uint8_t low = 0x80;  // the allowed range of the next byte
    uint8_t high = 0xBF;
  };
  Progress progress() const { return {value_, missing_, low_, high_}; }
  // Continues where another decoder stopped.
  void Resume(const Progress& from) {
    value_ = from.value;
    missing_ = from.missing;
    low_ = from.low;
    high_ = from.high;
  }

 private:
  // The fields of Progress.
  char32_t value_ = 0;
  int missing_ = 0;
  uint8_t low_ = 0x80;
  uint8_t high_ = 0xBF;
};

}  // namespace glasstty

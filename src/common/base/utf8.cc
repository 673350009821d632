#include "base/utf8.h"

namespace glasstty {

void AppendUtf8(char32_t c, std::string* out) {
  // A single append is much faster than one for each byte.
  char bytes[kMaxUtf8];
  out->append(bytes, EncodeUtf8(c, bytes));
}

// The first byte determines the number of continuation bytes, and the range of
// the first of these. The others are in the range 80 to BF.
Utf8Decoder::Step Utf8Decoder::Feed(uint8_t byte, char32_t* out) {
  if (missing_ > 0) {
    if (byte < low_ || byte > high_) {
      missing_ = 0;
      *out = kReplacement;
      return Step::kBadRetry;
    }
    value_ = value_ << 6 | (byte & 0x3F);
    low_ = 0x80;
    high_ = 0xBF;
    if (--missing_ > 0) return Step::kMore;
    *out = value_;
    return Step::kDone;
  }
  if (byte < 0x80) {
    *out = byte;
    return Step::kDone;
  }
  // These are the ranges of table 3-7 of the Unicode standard: no overlong
  // forms, no surrogates, nothing above U+10FFFF.
  low_ = 0x80;
  high_ = 0xBF;
  if (byte >= 0xC2 && byte < 0xE0) {
    value_ = byte & 0x1F;
    missing_ = 1;
  } else if (byte >= 0xE0 && byte < 0xF0) {
    value_ = byte & 0x0F;
    missing_ = 2;
    if (byte == 0xE0) low_ = 0xA0;
    if (byte == 0xED) high_ = 0x9F;
  } else if (byte >= 0xF0 && byte < 0xF5) {
    value_ = byte & 0x07;
    missing_ = 3;
    if (byte == 0xF0) low_ = 0x90;
    if (byte == 0xF4) high_ = 0x8F;
  } else {
    *out = kReplacement;
    return Step::kBad;
  }
  return Step::kMore;
}

char32_t TakeUtf8(std::string_view* text) {
  Utf8Decoder decoder;
  char32_t c = kReplacement;
  for (size_t i = 0; i < text->size(); ++i) {
    switch (decoder.Feed(static_cast<uint8_t>((*text)[i]), &c)) {
      case Utf8Decoder::Step::kMore:
        continue;
      case Utf8Decoder::Step::kDone:
      case Utf8Decoder::Step::kBad:
        text->remove_prefix(i + 1);
        return c;
      case Utf8Decoder::Step::kBadRetry:
        text->remove_prefix(i);
        return c;
    }
  }
  text->remove_prefix(text->size());
  return kReplacement;
}

bool IsValidUtf8(std::string_view text) {
  Utf8Decoder decoder;
  char32_t c;
  for (char byte : text) {
    auto step = decoder.Feed(static_cast<uint8_t>(byte), &c);
    if (step == Utf8Decoder::Step::kBad ||
        step == Utf8Decoder::Step::kBadRetry) {
      return false;
    }
  }
  return !decoder.pending();
}

std::string ToValidUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) AppendUtf8(TakeUtf8(&text), &out);
  return out;
}

size_t CountCodePoints(std::string_view text) {
  size_t count = 0;
  while (!text.empty()) {
    TakeUtf8(&text);
    ++count;
  }
  return count;
}

std::string_view Utf8Prefix(std::string_view text, size_t limit) {
  if (text.size() <= limit) return text;
  size_t end = limit;
  while (end > 0 && IsContinuation(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace glasstty

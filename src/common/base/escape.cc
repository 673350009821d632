#include "base/escape.h"

#include <cstdint>
#include <optional>

#include "base/utf8.h"

namespace glasstty {
namespace {

// A backslash and `letter` represent `byte`.
struct Named {
  char letter;
  char byte;
};
constexpr Named kNamed[] = {{'e', 0x1b},  {'r', '\r'}, {'n', '\n'},
                            {'t', '\t'},  {'b', '\b'}, {'a', '\a'},
                            {'\\', '\\'}, {'0', '\0'}};
constexpr char kHex[] = "0123456789abcdef";

// Returns the digit's value, 0 to 15.
std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

void AppendHexByte(char byte, std::string* out) {
  auto b = static_cast<uint8_t>(byte);
  *out += "\\x";
  out->push_back(kHex[b >> 4]);
  out->push_back(kHex[b & 15]);
}

// Appends one code point, which `source` encodes.
void AppendVisible(char32_t c, std::string_view source, std::string* out) {
  for (const Named& named : kNamed) {
    // Many languages read \0 and the digits after it as one octal escape, so
    // NUL becomes \x00.
    if (c == static_cast<uint8_t>(named.byte) && named.letter != '0') {
      out->push_back('\\');
      out->push_back(named.letter);
      return;
    }
  }
  bool replaced = c == kReplacement && source != "\xEF\xBF\xBD";
  // Write the bytes instead of U+FFFD, so that UnescapeBytes returns the
  // original input.
  if (c < 0x20 || c == 0x7F || replaced) {
    for (char byte : source) AppendHexByte(byte, out);
  } else if (c >= 0x80 && c < 0xA0) {
    *out += "\\u{";
    out->push_back(kHex[c >> 4]);
    out->push_back(kHex[c & 15]);
    out->push_back('}');
  } else {
    out->append(source);
  }
}

// Reads "HEX}" after "\u{"; returns how many characters it consumed, 0 if
// invalid.
size_t TakeBracedHex(std::string_view text, char32_t* value) {
  *value = 0;
  for (size_t i = 0; i < text.size() && i <= 6; ++i) {
    if (text[i] == '}') return i > 0 ? i + 1 : 0;
    auto digit = HexDigit(text[i]);
    if (!digit) return 0;
    *value = *value * 16 + static_cast<char32_t>(*digit);
  }
  return 0;
}

// Decodes the escape at the start of `text` (after the backslash) into `out`;
// returns how many characters it consumed, or 0 if the escape is unknown.
size_t TakeEscape(std::string_view text, std::string* out) {
  if (text.empty()) return 0;
  for (const Named& named : kNamed) {
    if (text[0] != named.letter) continue;
    out->push_back(named.byte);
    return 1;
  }
  if (text[0] == 'x' && text.size() >= 3) {
    auto high = HexDigit(text[1]), low = HexDigit(text[2]);
    if (!high || !low) return 0;
    out->push_back(static_cast<char>(*high << 4 | *low));
    return 3;
  }
  char32_t value;
  if (text.substr(0, 2) == "u{") {
    size_t n = TakeBracedHex(text.substr(2), &value);
    if (n == 0) return 0;
    AppendUtf8(value, out);
    return 2 + n;
  }
  return 0;
}

}  // namespace

std::string EscapeBytes(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  while (!bytes.empty()) {
    std::string_view rest = bytes;
    char32_t c = TakeUtf8(&rest);
    AppendVisible(c, bytes.substr(0, bytes.size() - rest.size()), &out);
    bytes = rest;
  }
  return out;
}

std::string EscapeControls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::string_view rest = text;
    char32_t c = TakeUtf8(&rest);
    std::string_view source = text.substr(0, text.size() - rest.size());
    bool control =
        c != '\n' && c != '\t' && (c < ' ' || (c >= 0x7F && c < 0xA0));
    if (control) {
      AppendVisible(c, source, &out);
    } else {
      out += source;
    }
    text = rest;
  }
  return out;
}

std::string UnescapeBytes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      size_t n = TakeEscape(text.substr(i + 1), &out);
      i += n;
      if (n > 0) continue;
    }
    out.push_back(text[i]);
  }
  return out;
}

}  // namespace glasstty

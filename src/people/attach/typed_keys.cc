#include "attach/typed_keys.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace glasstty::attach {
namespace {

constexpr std::string_view kPasteBegin = "\x1b[200~";
constexpr std::string_view kPasteEnd = "\x1b[201~";
// A longer paste is returned in parts.
constexpr size_t kMaxPaste = 1 << 20;
// No key is longer than this; a longer sequence is invalid.
constexpr size_t kMaxKey = 64;

size_t CharacterLength(char lead) {
  auto byte = static_cast<unsigned char>(lead);
  if (byte >= 0xF0) return 4;
  if (byte >= 0xE0) return 3;
  return byte >= 0xC0 ? 2 : 1;
}

// Focus reports are not keys, and were not requested.
bool IsFocus(std::string_view key) {
  return key == "\x1b[I" || key == "\x1b[O";
}

TypedKey KeyOf(std::string_view bytes) {
  TypedKey key;
  key.bytes = bytes;
  char end = 0;
  if (bytes.starts_with("\x1b[<") &&
      std::sscanf(key.bytes.c_str() + 3, "%d;%d;%d%c", &key.button, &key.col,
                  &key.row, &end) == 4) {
    key.kind = TypedKey::Kind::kMouse;
    key.release = end == 'm';
    key.row = std::max(key.row - 1, 0);
    key.col = std::max(key.col - 1, 0);
  }
  return key;
}

// A key as the newer protocols send it: "CODE:SHIFTED;MODIFIERS:EVENT;TEXT".
struct Spelled {
  int code = 0, shifted = 0;
  int modifiers = 1;  // a sum of bits, plus 1
  int event = 1;
  int text = 0;
};

Spelled Read(const std::string& parameters) {
  Spelled key;
  int* const places[][2] = {{&key.code, &key.shifted},
                            {&key.modifiers, &key.event},
                            {&key.text, nullptr}};
  size_t field = 0, part = 0;
  for (size_t at = 0; at < parameters.size() && field < std::size(places);) {
    char c = parameters[at];
    bool is_digit = c >= '0' && c <= '9';
    if (is_digit && part < 2 && places[field][part] != nullptr) {
      *places[field][part] = std::atoi(parameters.c_str() + at);
    }
    while (is_digit && parameters[at] >= '0' && parameters[at] <= '9') ++at;
    if (is_digit) continue;
    part = c == ':' ? part + 1 : 0;
    field += c == ';' ? 1 : 0;
    ++at;
  }
  return key;
}

// Returns the legacy bytes of a key; "" if it has none.
std::string BytesOf(const Spelled& key) {
  constexpr int kShift = 1, kAlt = 2, kControl = 4, kLastAscii = 127;
  int held = key.modifiers - 1;
  int code = key.code;
  if ((held & kControl) == 0 && key.text != 0) code = key.text;
  if (code <= 0 || code > kLastAscii) return "";
  char c = static_cast<char>(code);
  if ((held & kShift) != 0 && key.text == 0) {
    bool is_lower = c >= 'a' && c <= 'z';
    if (is_lower) c = static_cast<char>(c - 'a' + 'A');
    if (key.shifted > 0 && key.shifted <= kLastAscii) {
      c = static_cast<char>(key.shifted);
    }
  }
  // Control applies to letters and the characters around them.
  if ((held & kControl) != 0 && c >= '@') c = static_cast<char>(c & 0x1F);
  return ((held & kAlt) != 0 ? "\x1b" : "") + std::string(1, c);
}

}  // namespace

std::string PlainKey(const std::string& key) {
  constexpr int kReleased = 3, kOtherKeys = 27;
  if (!key.starts_with("\x1b[") || key.size() < 4) return key;
  Spelled spelled = Read(key.substr(2, key.size() - 3));
  if (spelled.event == kReleased) return "";
  if (key.back() == 'u') return BytesOf(spelled);
  // Here the third number is the code: "27;MODIFIERS;CODE~".
  if (key.back() != '~' || spelled.code != kOtherKeys) return key;
  return BytesOf({.code = spelled.text, .modifiers = spelled.modifiers});
}

size_t TypedKeys::KeyLength() const {
  if (rest_[0] != '\x1b') {
    size_t length = CharacterLength(rest_[0]);
    return length <= rest_.size() ? length : 0;
  }
  if (rest_.size() < 2) return 0;
  if (rest_[1] == 'O') return rest_.size() < 3 ? 0 : 3;
  // This is a key with Alt, or an Escape before another sequence.
  if (rest_[1] != '[') return rest_[1] == '\x1b' ? 1 : 2;
  for (size_t i = 2; i < rest_.size(); ++i) {
    if (rest_[i] >= 0x40 && rest_[i] <= 0x7E) return i + 1;
    if (rest_[i] < 0x20 || i > kMaxKey) return i;
  }
  return 0;
}

bool TypedKeys::TakeKey(std::vector<TypedKey>* keys) {
  size_t length = KeyLength();
  if (length == 0) return false;
  std::string bytes = rest_.substr(0, length);
  rest_.erase(0, length);
  if (bytes == kPasteBegin) {
    in_paste_ = true;
  } else if (!IsFocus(bytes) && bytes != kPasteEnd) {
    keys->push_back(KeyOf(bytes));
  }
  return true;
}

bool TypedKeys::TakePaste(std::vector<TypedKey>* keys) {
  size_t end = rest_.find(kPasteEnd);
  bool is_whole = end != std::string::npos;
  if (!is_whole && rest_.size() < kMaxPaste) return false;
  // The end of a part may be the beginning of the closing bracket.
  if (!is_whole) end = rest_.size() - (kPasteEnd.size() - 1);
  TypedKey paste;
  paste.kind = TypedKey::Kind::kPaste;
  paste.bytes = rest_.substr(0, end);
  keys->push_back(std::move(paste));
  rest_.erase(0, is_whole ? end + kPasteEnd.size() : end);
  in_paste_ = !is_whole;
  return true;
}

std::vector<TypedKey> TypedKeys::Feed(std::string_view bytes) {
  rest_ += bytes;
  std::vector<TypedKey> keys;
  while (!rest_.empty() && (in_paste_ ? TakePaste(&keys) : TakeKey(&keys))) {
  }
  return keys;
}

std::vector<TypedKey> TypedKeys::Flush() {
  std::vector<TypedKey> keys;
  if (!waits()) return keys;
  keys.push_back(KeyOf(rest_));
  rest_.clear();
  return keys;
}

}  // namespace glasstty::attach

#include "attach/typed_keys.h"

#include <algorithm>
#include <cstdio>

namespace glasstty::attach {
namespace {

constexpr std::string_view kPasteBegin = "\x1b[200~";
constexpr std::string_view kPasteEnd = "\x1b[201~";
// A paste that is longer comes in parts.
constexpr size_t kMaxPaste = 1 << 20;
// No key is longer; what is, is noise.
constexpr size_t kMaxKey = 64;

size_t CharacterLength(char lead) {
  auto byte = static_cast<unsigned char>(lead);
  if (byte >= 0xF0) return 4;
  if (byte >= 0xE0) return 3;
  return byte >= 0xC0 ? 2 : 1;
}

// Focus reports are no keys, and nobody has asked for them.
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

}  // namespace

size_t TypedKeys::KeyLength() const {
  if (rest_[0] != '\x1b') {
    size_t length = CharacterLength(rest_[0]);
    return length <= rest_.size() ? length : 0;
  }
  if (rest_.size() < 2) return 0;
  if (rest_[1] == 'O') return rest_.size() < 3 ? 0 : 3;
  // With Alt, or an Escape in front of another sequence.
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
  TypedKey paste;
  paste.kind = TypedKey::Kind::kPaste;
  paste.bytes = rest_.substr(0, end);
  keys->push_back(std::move(paste));
  rest_.erase(0, is_whole ? end + kPasteEnd.size() : rest_.size());
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

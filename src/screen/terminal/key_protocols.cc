#include "terminal/key_protocols.h"

#include <optional>
#include <string_view>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "terminal/key_table.h"
#include "terminal/legacy_keys.h"

namespace glasstty::terminal {
namespace {

constexpr uint8_t kLocks = kCapsLock | kNumLock;

enum class Event { kPress, kRelease };

// A key in the protocol's numbering.
struct Code {
  int number = 0;
  char final = 'u';
  // The text of the key without Shift and the locks; 0 if it has none.
  char32_t text = 0;
  // The text with Shift, if it differs.
  char32_t shifted = 0;
};

const KeyRow& RowOf(const Key& key) {
  return KeyTable()[static_cast<size_t>(key.named)];
}

// Returns true if the key has a number of its own under these flags. Otherwise,
// keys of the keypad are encoded like the keys beside it, and F13 is shift +
// F1.
bool HasNumber(const KeyRow& row, int flags) {
  int asks = kDisambiguate | kAllKeys;
  if (!row.name.starts_with("KP")) asks |= kEventTypes;
  return row.kitty != 0 && (flags & asks) != 0;
}

// Enter, Tab and Backspace stay bytes, so that a person can type "reset" after
// a program has died.
bool StaysByte(const Key& key, int flags) {
  if (key.named < 0 || HasNumber(RowOf(key), flags)) return false;
  int code = RowOf(key).code;
  bool is_byte =
      RowOf(key).kind == KeyKind::kByte || RowOf(key).kind == KeyKind::kKeypad;
  return is_byte && (code == '\r' || code == '\t' || code == 0x7F);
}

Code CodeOfCharacter(char32_t c) {
  char32_t shifted = WithShift(c);
  return {static_cast<int>(c), 'u', c, shifted == c ? 0 : shifted};
}

Code CodeOf(const Key& key, int flags) {
  if (key.named < 0) return CodeOfCharacter(key.character);
  const KeyRow& row = RowOf(key);
  int number = HasNumber(row, flags) ? row.kitty : row.code;
  switch (row.kind) {
    case KeyKind::kByte:
    case KeyKind::kKeypad:
      if (row.code < ' ' || row.code == 0x7F) return {number};
      return {number, 'u', static_cast<char32_t>(row.code)};
    case KeyKind::kNumbered:
    case KeyKind::kModifier:
      return {row.code};
    case KeyKind::kTilde:
      return {number, number == row.code ? '~' : 'u'};
    case KeyKind::kCursor:
    case KeyKind::kFunction:
      if (number != row.code) return {number};
      // Terminals also report the cursor's position with CSI R.
      if (row.code == 'R') return {13, '~'};
      return {1, static_cast<char>(row.code)};
  }
  return {};
}

// Returns 0 if the stroke produces no text. Outside of ASCII, the effect of
// Shift is known for only a few characters.
char32_t TextOf(const Code& code, uint8_t modifiers) {
  if ((modifiers & ~(kShift | kLocks)) != 0) return 0;
  bool is_shifted = (modifiers & kShift) != 0;
  if (is_shifted && code.shifted == 0 && code.text >= 0x80) return 0;
  bool is_letter = IsAsciiLetter(code.text) || code.text >= 0x80;
  if (is_letter && (modifiers & kCapsLock) != 0) is_shifted = !is_shifted;
  return is_shifted && code.shifted != 0 ? code.shifted : code.text;
}

// Returns CSI number:shifted ; modifiers:event ; text final.
std::string Spell(const Code& code, uint8_t modifiers, Event event, int flags) {
  std::string held;
  bool is_release = event == Event::kRelease;
  if (modifiers != 0 || is_release) held = absl::StrFormat("%d", 1 + modifiers);
  if (is_release) held += ":3";
  constexpr int kTextFlags = kAllKeys | kAssociatedText;
  bool tells_text = !is_release && (flags & kTextFlags) == kTextFlags;
  char32_t text = tells_text ? TextOf(code, modifiers) : 0;
  std::string out = "\x1b[";
  if (code.number != 1 || !held.empty()) {
    out += absl::StrFormat("%d", code.number);
  }
  bool tells_shifted = (flags & kAlternateKeys) != 0 &&
                       (modifiers & kShift) != 0 && code.shifted != 0;
  if (tells_shifted) out += absl::StrFormat(":%d", code.shifted);
  if (!held.empty() || text != 0) out += ";" + held;
  if (text != 0) out += absl::StrFormat(";%d", text);
  return out + code.final;
}

// Returns the bytes for a key that is encoded as without the protocol, "" if
// the program does not get the key, and nullopt if the key has to be encoded as
// a code.
std::optional<std::string> EncodeAsEver(const Key& key, const Code& code,
                                        Event event, const Modes& modes) {
  int flags = modes.kitty_flags;
  bool is_release = event == Event::kRelease;
  if ((flags & kAllKeys) != 0) return std::nullopt;
  if (key.named >= 0 && RowOf(key).kind == KeyKind::kModifier) return "";
  // Text is sent as text if no modifiers other than Shift and the locks are
  // held.
  if (char32_t text = TextOf(code, key.modifiers); text != 0) {
    std::string out;
    if (!is_release) AppendUtf8(text, &out);
    return out;
  }
  bool stays_byte = StaysByte(key, flags);
  if (stays_byte && is_release) return "";
  bool is_text_key = code.text != 0;
  bool is_plain = (key.modifiers & ~kLocks) == 0;
  if (stays_byte && is_plain) return EncodeLegacy(key, modes);
  // With only the flag for events, codes are sent for keys that produce no
  // text.
  bool is_escape = key.named >= 0 && code.number == 0x1B && is_plain;
  int asks =
      is_text_key || is_escape ? kDisambiguate : kDisambiguate | kEventTypes;
  if ((flags & asks) != 0 || is_release) return std::nullopt;
  if (is_text_key && !IsLegacy(key)) return std::nullopt;
  return EncodeLegacy(key, modes);
}

std::string EncodeEvent(const Key& key, Event event, const Modes& modes) {
  Code code = CodeOf(key, modes.kitty_flags);
  auto as_ever = EncodeAsEver(key, code, event, modes);
  if (as_ever) return *as_ever;
  uint8_t modifiers = key.modifiers;
  bool is_modifier = key.named >= 0 && RowOf(key).kind == KeyKind::kModifier;
  if (is_modifier && event == Event::kPress) modifiers |= RowOf(key).modifiers;
  return Spell(code, modifiers, event, modes.kitty_flags);
}

// The combinations for which xterm uses the new encoding at level 2. All others
// produce text, or are encoded as without the mode.
struct OtherRow {
  int code;
  uint8_t modifiers;
  // True if the row applies at level 1, too, to keys that the legacy encoding
  // cannot distinguish.
  bool at_first_level;
};
constexpr uint8_t kAnyOfOld = kShift | kAlt | kControl;
constexpr OtherRow kOtherRows[] = {
    {'\r', kAnyOfOld, true},      {'\t', kAlt | kControl, true},
    {0x7F, kShift | kAlt, false}, {0x1B, kAlt | kControl, false},
    {' ', kAnyOfOld, true},
};
constexpr OtherRow kOtherCharacters = {0, kAlt | kControl, true};

const OtherRow* FindOther(const Key& key) {
  if (key.named < 0) return &kOtherCharacters;
  if (RowOf(key).kind != KeyKind::kByte) return nullptr;
  for (const OtherRow& row : kOtherRows) {
    if (row.code == RowOf(key).code) return &row;
  }
  return nullptr;
}

}  // namespace

std::string EncodeKitty(const Key& key, const Modes& modes) {
  std::string out = EncodeEvent(key, Event::kPress, modes);
  if ((modes.kitty_flags & kEventTypes) != 0) {
    out += EncodeEvent(key, Event::kRelease, modes);
  }
  return out;
}

std::string EncodeOtherKey(const Key& key, const Modes& modes) {
  int level = modes.modify_other_keys;
  const OtherRow* row = level > 0 ? FindOther(key) : nullptr;
  uint8_t modifiers = key.modifiers & ~kLocks;
  bool is_old = (modifiers & ~kAnyOfOld) == 0;
  if (row == nullptr || modifiers == 0 || !is_old) return "";
  bool is_told = level == 1 ? row->at_first_level && !IsLegacy(key)
                            : (modifiers & row->modifiers) != 0;
  if (!is_told) return "";
  auto code = static_cast<char32_t>(row->code);
  if (key.named < 0) {
    bool is_shifted = (modifiers & kShift) != 0;
    code = is_shifted ? WithShift(key.character) : key.character;
  }
  const int number = 1 + modifiers;
  if (modes.format_other_keys == 1) {
    return absl::StrFormat("\x1b[%d;%du", code, number);
  }
  return absl::StrFormat("\x1b[27;%d;%d~", number, code);
}

}  // namespace glasstty::terminal

// The encodings are xterm's, because TERM names xterm. libvterm's own encoder
// is an oracle of the tests, but is not used here: it sends CSI u for ctrl+i
// and similar keys, which programs expect only if they have requested it, and
// nothing for F13 and above.
#include "terminal/legacy_keys.h"

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "terminal/key_table.h"

namespace glasstty::terminal {
namespace {

// A character other than a letter, and the byte that ctrl makes of it.
struct ControlRow {
  char character;
  char byte;
};
constexpr ControlRow kControls[] = {
    {' ', 0x00}, {'@', 0x00}, {'[', 0x1B}, {'\\', 0x1C},
    {']', 0x1D}, {'^', 0x1E}, {'_', 0x1F}, {'/', 0x1F},
    {'?', 0x7F}, {'2', 0x00}, {'3', 0x1B}, {'4', 0x1C},
    {'5', 0x1D}, {'6', 0x1E}, {'7', 0x1F}, {'8', 0x7F},
};

// Ctrl keeps only the low five bits of a letter, as on the first terminals. The
// table has the other characters.
char32_t WithControl(char32_t c) {
  bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (is_letter) return c & 0x1F;
  for (const ControlRow& row : kControls) {
    if (static_cast<char32_t>(row.character) == c) {
      return static_cast<char32_t>(row.byte);
    }
  }
  return c;
}

// Alt is a preceding ESC, even before characters that are not ASCII.
std::string EncodeCharacter(char32_t c, uint8_t modifiers) {
  if ((modifiers & kControl) != 0) c = WithControl(c);
  std::string out;
  if ((modifiers & kAlt) != 0) out += '\x1b';
  AppendUtf8(c, &out);
  return out;
}

// Returns shift, alt and control as the number after the ';'.
int ModifierNumber(uint8_t modifiers) { return 1 + modifiers; }

// Keys that are encoded as a byte have few variants: apart from those below,
// they have no encoding of their own with shift or ctrl, except in EncodeKitty
// and EncodeOtherKey.
std::string EncodeByte(const KeyRow& row, uint8_t modifiers,
                       const Modes& modes) {
  bool control = (modifiers & kControl) != 0;
  std::string out;
  if (row.code == '\t' && (modifiers & kShift) != 0) {
    out = "\x1b[Z";
  } else if (row.code == 0x7F && control) {
    out = "\b";
  } else if (row.code == ' ' && control) {
    out = std::string(1, '\0');
  } else {
    out = std::string(1, static_cast<char>(row.code));
  }
  if (row.code == '\r' && modes.newline) out += '\n';
  if ((modifiers & kAlt) != 0) out.insert(out.begin(), '\x1b');
  return out;
}

// Modified keys use CSI even in application mode, because SS3 has no room for a
// number.
std::string EncodeNamed(const KeyRow& row, uint8_t modifiers,
                        const Modes& modes) {
  modifiers |= row.modifiers;
  int number = ModifierNumber(modifiers);
  switch (row.kind) {
    case KeyKind::kByte:
      return EncodeByte(row, modifiers, modes);
    case KeyKind::kCursor:
    case KeyKind::kFunction: {
      if (modifiers != 0)
        return absl::StrFormat("\x1b[1;%d%c", number, row.code);
      bool ss3 = row.kind == KeyKind::kFunction || modes.application_cursor;
      return absl::StrFormat("\x1b%c%c", ss3 ? 'O' : '[', row.code);
    }
    case KeyKind::kTilde:
      if (modifiers == 0) return absl::StrFormat("\x1b[%d~", row.code);
      return absl::StrFormat("\x1b[%d;%d~", row.code, number);
    case KeyKind::kKeypad:
      if (modes.application_keypad && modifiers == 0) {
        return absl::StrFormat("\x1bO%c", row.keypad);
      }
      return EncodeCharacter(static_cast<char32_t>(row.code), modifiers);
    case KeyKind::kNumbered:
    case KeyKind::kModifier:
      return "";
  }
  return "";
}

}  // namespace

std::string EncodeLegacy(const Key& key, const Modes& modes) {
  uint8_t modifiers = key.modifiers & (kShift | kAlt | kControl);
  if (key.named >= 0) {
    return EncodeNamed(KeyTable()[static_cast<size_t>(key.named)], modifiers,
                       modes);
  }
  char32_t c = key.character;
  if ((modifiers & kShift) != 0) c = WithShift(c);
  return EncodeCharacter(c, modifiers);
}

bool IsLegacy(const Key& key) {
  if ((key.modifiers & (kSuper | kHyper | kMeta)) != 0) return false;
  std::string bytes = EncodeLegacy(key, Modes());
  if (bytes.empty()) return false;
  bool is_symbol = key.named < 0 && WithShift(key.character) != key.character &&
                   !IsAsciiLetter(key.character);
  for (uint8_t modifier : {kShift, kAlt, kControl}) {
    if ((key.modifiers & modifier) == 0) continue;
    // C-S-2 is C-@, which has a code under that name.
    if (modifier == kShift && is_symbol) continue;
    Key less = key;
    less.modifiers &= static_cast<uint8_t>(~modifier);
    if (EncodeLegacy(less, Modes()) == bytes) return false;
  }
  return true;
}

}  // namespace glasstty::terminal

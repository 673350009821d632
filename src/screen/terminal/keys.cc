// Selects the encoding that the program has requested, and encodes text.
#include "terminal/keys.h"

#include "base/utf8.h"
#include "terminal/key_protocols.h"
#include "terminal/key_table.h"
#include "terminal/legacy_keys.h"

namespace glasstty::terminal {
namespace {

// Encodes one stroke, without the repeat. REQUIRES: the key is as Unshifted
// returns it.
std::string EncodeStroke(const Key& key, const Modes& modes) {
  if (modes.kitty_flags != 0) return EncodeKitty(key, modes);
  std::string other = EncodeOtherKey(key, modes);
  return other.empty() ? EncodeLegacy(key, modes) : other;
}

struct ModifierName {
  uint8_t modifier;
  std::string_view name;
};
// The prefixes appear in this order.
constexpr ModifierName kModifierNames[] = {
    {kControl, "C-"}, {kAlt, "M-"},           {kSuper, "D-"},
    {kHyper, "H-"},   {kMeta, "T-"},          {kCapsLock, "capslock-"},
    {kShift, "S-"},   {kNumLock, "numlock-"},
};

// Returns the key for a character of a text; a tab is the key Tab, and so on.
Key KeyOf(char32_t c) {
  struct Row {
    char32_t character;
    std::string_view name;
  };
  static constexpr Row kRows[] = {{'\r', "Enter"},
                                  {'\t', "Tab"},
                                  {0x1B, "Esc"},
                                  {0x7F, "BS"},
                                  {' ', "Space"}};
  Key key;
  for (const Row& row : kRows) {
    if (row.character == c) key.named = FindKey(row.name);
  }
  key.character = c;
  if (key.named < 0 && c < 0x20) {
    key.character = c | 0x40;
    key.modifiers = kControl;
  }
  return key;
}

bool MayBePasted(char32_t c) {
  bool is_kept = c == '\t' || c == '\n' || c == '\r';
  // C1 controls are removed, too, because some programs treat U+009B as ESC [.
  bool is_control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  return is_kept || !is_control;
}

}  // namespace

Key Unshifted(const Key& key) {
  Key plain = key;
  if (key.named >= 0) return plain;
  plain.character = WithoutShift(key.character);
  bool has_control = (key.modifiers & kControl) != 0;
  bool is_shifted = plain.character != key.character;
  // People write <C-A> for ctrl and the letter a.
  if (is_shifted && !(has_control && IsAsciiLetter(key.character))) {
    plain.modifiers |= kShift;
  }
  return plain;
}

std::string ModifierPrefix(uint8_t modifiers) {
  std::string out;
  for (const ModifierName& row : kModifierNames) {
    if ((modifiers & row.modifier) != 0) out += row.name;
  }
  return out;
}

std::string KeyName(const Key& key) {
  std::string name = ModifierPrefix(key.modifiers);
  if (key.named >= 0) {
    name += KeyTable()[static_cast<size_t>(key.named)].name;
  } else {
    AppendUtf8(key.character, &name);
  }
  return name;
}

bool IsEnter(const Key& key) {
  return key.modifiers == 0 && key.named >= 0 &&
         KeyTable()[static_cast<size_t>(key.named)].code == '\r';
}

// If the bytes are the same without one of the modifiers, the program cannot
// detect that modifier.
bool CanSend(const Key& key, const Modes& modes) {
  Key plain = Unshifted(key);
  std::string bytes = EncodeStroke(plain, modes);
  if (bytes.empty()) return false;
  if (bytes == EncodeLegacy(plain, modes)) return IsLegacy(plain);
  for (uint8_t modifier : {kShift, kAlt, kControl, kSuper, kHyper, kMeta}) {
    Key less = plain;
    less.modifiers &= static_cast<uint8_t>(~modifier);
    if (less != plain && EncodeStroke(less, modes) == bytes) return false;
  }
  return true;
}

// The key is pressed and released `repeat` times, not held.
std::string EncodeKey(const Key& key, const Modes& modes) {
  std::string once = EncodeStroke(Unshifted(key), modes);
  std::string out;
  for (int i = 0; i < key.repeat; ++i) out += once;
  return out;
}

namespace {

// A keyboard has no line feed: Enter is a carriage return, which the terminal
// driver turns into a newline.
std::string WithEnters(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += text[i] == '\n' ? '\r' : text[i];
  }
  return out;
}

}  // namespace

std::string EncodeText(std::string_view text, const Modes& modes) {
  std::string typed = WithEnters(text);
  if (!WantsAllKeys(modes)) return typed;
  std::string out;
  for (std::string_view left = typed; !left.empty();) {
    out += EncodeKey(KeyOf(TakeUtf8(&left)), modes);
  }
  return out;
}

// A person sees text before pasting it, but nobody checks this text. So all
// characters are removed that could end the paste early or act as a key.
std::string EncodePaste(std::string_view text, const Modes& modes) {
  std::string clean;
  while (!text.empty()) {
    char32_t c = TakeUtf8(&text);
    if (MayBePasted(c)) AppendUtf8(c, &clean);
  }
  std::string out = WithEnters(clean);
  if (!modes.bracketed_paste) return out;
  return "\x1b[200~" + out + "\x1b[201~";
}

std::string RemovedFromPaste(std::string_view text) {
  std::u32string removed;
  while (!text.empty()) {
    char32_t c = TakeUtf8(&text);
    bool is_known = removed.find(c) != std::u32string::npos;
    if (!MayBePasted(c) && !is_known) removed += c;
  }
  std::string out;
  for (char32_t c : removed) AppendUtf8(c, &out);
  return out;
}

}  // namespace glasstty::terminal

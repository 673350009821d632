// Encoding. libvterm's own encoder serves as an oracle in the tests, not here:
// it sends CSI u for ctrl+i and its like, which no program expects that did not
// ask for it, and nothing for F13 and above.
#include "terminal/keys.h"

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "terminal/key_table.h"

namespace glasstty::terminal {
namespace {

// What ctrl makes of characters other than letters; -1: the terminal has no
// code for it.
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

// Letters lose three bits, as on the first terminals; the rest is a table.
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

// Alt is an ESC before it, also before what is not ASCII.
std::string EncodeCharacter(char32_t c, uint8_t modifiers) {
  if ((modifiers & kShift) != 0 && c >= 'a' && c <= 'z') c -= 'a' - 'A';
  if ((modifiers & kControl) != 0) c = WithControl(c);
  std::string out;
  if ((modifiers & kAlt) != 0) out += '\x1b';
  AppendUtf8(c, &out);
  return out;
}

// Shift, alt and control as the number after the ';'.
int ModifierNumber(uint8_t modifiers) { return 1 + modifiers; }

// Keys that are a byte have few variants: shift and ctrl with Enter, Tab and
// Esc send what the bare key sends, or programs would see nothing they know.
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

// Modified keys are spelled with CSI also in application mode: SS3 has no room
// for a number.
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
  }
  return "";
}

}  // namespace

// The repeat is the key pressed again, not held: nothing in between.
std::string EncodeKey(const Key& key, const Modes& modes) {
  std::string once =
      key.named < 0 ? EncodeCharacter(key.character, key.modifiers)
                    : EncodeNamed(KeyTable()[static_cast<size_t>(key.named)],
                                  key.modifiers, modes);
  std::string out;
  for (int i = 0; i < key.repeat; ++i) out += once;
  return out;
}

// A keyboard has no line feed: Enter is a carriage return, which the terminal
// driver turns into a newline.
std::string EncodeText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += text[i] == '\n' ? '\r' : text[i];
  }
  return out;
}

// What a person would paste is shown first; here nobody looks, so whatever
// could end the paste early, or be a key, is left out.
std::string EncodePaste(std::string_view text, const Modes& modes) {
  std::string clean;
  while (!text.empty()) {
    char32_t c = TakeUtf8(&text);
    bool is_kept = c == '\t' || c == '\n' || c == '\r';
    // C1 too: some programs take U+009B for ESC [.
    bool is_control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    if (is_kept || !is_control) AppendUtf8(c, &clean);
  }
  std::string out = EncodeText(clean);
  if (!modes.bracketed_paste) return out;
  return "\x1b[200~" + out + "\x1b[201~";
}

}  // namespace glasstty::terminal

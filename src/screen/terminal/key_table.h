// The keys that have names, and their encodings. Each key is one row, whose
// index is Key::named. Also adds Shift to characters and removes it.
//
// The encoders (legacy_keys.h, key_protocols.h) read the encodings, and
// notation.cc looks up and suggests names. Rows may be reordered and added
// freely, because no index leaves the process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::terminal {

// The legacy encoding of a key. With modifiers, whose number is m, kCursor and
// kFunction become CSI 1;m `code`, and kTilde gets ;m before the ~.
enum class KeyKind : uint8_t {
  kByte,      // as the byte `code`
  kCursor,    // as CSI `code`, or SS3 `code` in application cursor mode
  kFunction,  // as SS3 `code`
  kTilde,     // as CSI `code` ~, with `code` in decimal
  kKeypad,    // as the character `code`, or as SS3 `keypad` in application
              // keypad mode
  kNumbered,  // not at all; `code` is its number in kitty's keyboard protocol
  kModifier,  // like kNumbered, and sent only if the program requests all keys
};

struct KeyRow {
  std::string_view name;
  KeyKind kind;
  int code;
  // Modifiers that the key implies: F13 is shift + F1. For kModifier, the
  // modifiers that the key represents.
  uint8_t modifiers = {};
  char keypad = {};
  // The key's number in kitty's keyboard protocol; 0 if that is `code`, or if
  // the protocol has no number for the key.
  int kitty = {};
};

std::span<const KeyRow> KeyTable();
// Returns the index of the key with this name or alias, ignoring case; -1 if
// there is none.
int FindKey(std::string_view name);
// Returns names and aliases, for suggestions.
std::vector<std::string> KeyNames();

// WithShift returns the capital of a Latin, Greek or Cyrillic letter, and the
// upper character on the key of any other `c` on a US keyboard. WithoutShift
// does the reverse. Both return `c` itself if it has no such counterpart.
char32_t WithShift(char32_t c);
char32_t WithoutShift(char32_t c);
// Returns true if `c` is one of A to Z, in either case.
bool IsAsciiLetter(char32_t c);

}  // namespace glasstty::terminal

// The keys that have names, and their encodings. Each key is one row, whose
// index is Key::named. Also maps characters to those that Shift produces.
//
// The encoders (legacy_keys.h, key_protocols.h) use the table, and so does
// notation.cc, which parses and suggests names. Rows may be reordered and added
// freely, because no index is stored anywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::terminal {

enum class KeyKind : uint8_t {
  kByte,      // `code` is the byte
  kCursor,    // CSI code, or SS3 code in application cursor mode
  kFunction,  // SS3 code, or CSI 1;m code with modifiers
  kTilde,     // CSI number ~, where `code` is the number
  kKeypad,  // `code` is the character; SS3 `keypad` in application keypad mode
  kNumbered,  // only in kitty's keyboard protocol, where `code` is the number
  kModifier,  // like kNumbered; only for programs that request all keys
};

struct KeyRow {
  std::string_view name;
  KeyKind kind;
  int code;
  // Modifiers that the key implies: F13 is shift + F1. For kModifier, the
  // modifiers that the key represents.
  uint8_t modifiers = {};
  char keypad = {};
  // The key's number in kitty's keyboard protocol, if it differs from `code`.
  int kitty = {};
};

std::span<const KeyRow> KeyTable();
// Returns the index of the key with this name or alias, ignoring case, or -1.
int FindKey(std::string_view name);
// Returns names and aliases, for suggestions.
std::vector<std::string> KeyNames();

// WithShift returns the character that Shift makes of `c` on a US keyboard, and
// WithoutShift is its inverse. Both return `c` itself if Shift changes nothing.
char32_t WithShift(char32_t c);
char32_t WithoutShift(char32_t c);
// Returns true if `c` is one of A to Z, in either case.
bool IsAsciiLetter(char32_t c);

}  // namespace glasstty::terminal

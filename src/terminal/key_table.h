// The keys that have names, and how each is encoded. One row is one key; its
// index is Key::named.
//
// Used by keys.cc to encode and by notation.cc to read and to suggest names.
// Rows may be reordered and added freely: no index is stored anywhere.
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
  kTilde,     // CSI number ~, of which `code` is the number
  kKeypad,  // `code` is the character; SS3 `keypad` in application keypad mode
};

struct KeyRow {
  std::string_view name;
  KeyKind kind;
  int code;
  uint8_t modifiers = {};  // that the key stands for: F13 is shift + F1
  char keypad = {};
};

std::span<const KeyRow> KeyTable();
// Index of the key with this name or alias, case ignored; -1: there is none.
int FindKey(std::string_view name);
// Names and aliases, for suggestions.
std::vector<std::string> KeyNames();

}  // namespace glasstty::terminal

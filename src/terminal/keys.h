// Keys, paste and their notation: from what an agent writes to what a program
// reads.
//
// Pure functions over the program's modes. One table names the keys; a new one
// is one row of it. Mouse encoding is in mouse.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "terminal/modes.h"

namespace glasstty::terminal {

enum KeyModifiers : uint8_t { kShift = 1, kAlt = 2, kControl = 4 };

// A named key or a character, with modifiers.
struct Key {
  // Index into the key table; -1: `character`.
  int named = -1;
  char32_t character = 0;
  uint8_t modifiers = 0;
  int repeat = 1;  // 1..1,000

  bool operator==(const Key&) const = default;
};

// "Enter", "C-c", "M-x", "S-Tab", "C-Left", "F5", "Down*3": the part between
// < and >. Error: names the nearest keys.
absl::StatusOr<Key> ParseKey(std::string_view name);

// A string of a step list: text and <Key> notation mixed. "<lt>" is '<'; a
// '<' that begins nothing that looks like a key is text.
struct InputPiece {
  bool is_key = false;
  Key key;           // when is_key
  std::string text;  // else
};
absl::StatusOr<std::vector<InputPiece>> ParseNotation(std::string_view text);

// The bytes the program reads for it, `repeat` included.
std::string EncodeKey(const Key& key, const Modes& modes);

// Literal text as typed: a newline is Enter, CRLF one Enter; other control
// characters are kept.
std::string EncodeText(std::string_view text);

// Text as pasted: between the bracketed-paste markers when the program asked
// for them; ESC and C0 but HT, LF, CR removed (an embedded end marker would
// break out); LF and CRLF become CR.
std::string EncodePaste(std::string_view text, const Modes& modes);

}  // namespace glasstty::terminal

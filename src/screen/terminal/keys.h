// Keys, paste and their notation: converts the input that an agent writes to
// the bytes that a program reads.
//
// Pure functions over the program's modes. A single table names the keys; a new
// key needs one row in it. The encodings are in legacy_keys.h and
// key_protocols.h, and that of the mouse is in mouse.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "terminal/modes.h"

namespace glasstty::terminal {

// The values are those of kitty's keyboard protocol. Programs that have not
// requested that protocol get only the first three.
enum KeyModifiers : uint8_t {
  kShift = 1,
  kAlt = 2,
  kControl = 4,
  kSuper = 8,
  kHyper = 16,
  kMeta = 32,  // the meta key of some keyboards; <M-x> is alt
  kCapsLock = 64,
  kNumLock = 128,
};

// A named key or a character, with modifiers.
struct Key {
  // The index in the key table; -1 if the key is `character`.
  int named = -1;
  char32_t character = 0;
  uint8_t modifiers = 0;
  int repeat = 1;  // 1..1,000

  bool operator==(const Key&) const = default;
};

// Parses "Enter", "C-c", "M-x", "S-Tab", "C-Left", "F5", "Down*3": the part
// between < and >. For an unknown key, the error names similar ones.
absl::StatusOr<Key> ParseKey(std::string_view name);

// A piece of a string in which text and <Key> notation are mixed. "<lt>" is
// '<'; a '<' before something that does not look like a key is text.
struct InputPiece {
  bool is_key = false;
  Key key;           // used if is_key
  std::string text;  // used if not is_key
};
absl::StatusOr<std::vector<InputPiece>> ParseNotation(std::string_view text);

// Returns the same key as an unshifted character with modifiers: '!' becomes
// shift and 1, as on a US keyboard. With control, a capital ASCII letter
// becomes the small one, without shift.
Key Unshifted(const Key& key);

// Returns false for a key that the program would not get at all, or would
// mistake for one with fewer modifiers, such as <S-Enter> in a program that has
// requested neither xterm's modifyOtherKeys nor kitty's keyboard protocol.
bool CanSend(const Key& key, const Modes& modes);
// Returns a name such as "S-Enter", without the repeat.
std::string KeyName(const Key& key);
// Returns a prefix such as "C-M-".
std::string ModifierPrefix(uint8_t modifiers);
// Returns true if the key is Enter or the keypad's Enter, without modifiers.
bool IsEnter(const Key& key);

// Returns the bytes that the program reads for the key, including `repeat`.
std::string EncodeKey(const Key& key, const Modes& modes);

// Encodes literal text as if typed: a newline is Enter, CRLF is one Enter;
// other control characters are kept. Programs that requested all keys as escape
// codes get each character as a key.
std::string EncodeText(std::string_view text, const Modes& modes);

// Encodes text as if pasted: between the bracketed-paste markers if the program
// has requested them. Removes control characters except HT, LF and CR, because
// an embedded end marker would end the paste early; LF and CRLF become CR.
std::string EncodePaste(std::string_view text, const Modes& modes);
// Returns the characters that EncodePaste removes from `text`, each once.
std::string RemovedFromPaste(std::string_view text);

}  // namespace glasstty::terminal

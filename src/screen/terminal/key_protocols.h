// Encodes keys in the protocols that programs can request instead of the legacy
// encoding: the keyboard protocol of kitty
// (sw.kovidgoyal.net/kitty/keyboard-protocol), and xterm's modifyOtherKeys (its
// ctlseqs, XTMODKEYS).
//
// Pure functions over the modes, which interpreter_csi.cc sets. A key is always
// pressed and released at once, never held.
#pragma once

#include <string>

#include "terminal/keys.h"

namespace glasstty::terminal {

// The progressive enhancements, bits of Modes::kitty_flags.
enum KittyFlags : int {
  kDisambiguate = 1,
  kEventTypes = 2,
  kAlternateKeys = 4,
  kAllKeys = 8,
  kAssociatedText = 16,
  kAllKittyFlags = 31,
};

// Returns true if even plain text reaches the program as escape codes.
inline bool WantsAllKeys(const Modes& modes) {
  return (modes.kitty_flags & kAllKeys) != 0;
}

// Returns the bytes for pressing the key and, if the program wants them, for
// releasing it, or "" if the program does not receive this key. REQUIRES:
// kitty_flags is not 0; the key is as Unshifted returns it.
std::string EncodeKitty(const Key& key, const Modes& modes);

// Returns the bytes under modifyOtherKeys, or "" if the key is sent in the
// legacy encoding. REQUIRES: the key is as Unshifted returns it.
std::string EncodeOtherKey(const Key& key, const Modes& modes);

}  // namespace glasstty::terminal

// Encodes keys as programs can request them instead of the keys of old
// terminals: in the keyboard protocol of kitty
// (sw.kovidgoyal.net/kitty/keyboard-protocol), or with xterm's modifyOtherKeys
// (its ctlseqs, XTMODKEYS).
//
// Pure functions over the modes, which interpreter_csi.cc sets. A key is always
// pressed and released at once, because nobody holds one.
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

// Returns whether even plain text reaches the program as escape codes.
inline bool WantsAllKeys(const Modes& modes) {
  return (modes.kitty_flags & kAllKeys) != 0;
}

// Returns the bytes for pressing and releasing the key. Empty: the program is
// not told of this key. REQUIRES: flags are set; the key is as Unshifted
// returns it.
std::string EncodeKitty(const Key& key, const Modes& modes);

// Returns the bytes under modifyOtherKeys. Empty: the key is sent in the legacy
// form. REQUIRES: the key is as Unshifted returns it.
std::string EncodeOtherKey(const Key& key, const Modes& modes);

}  // namespace glasstty::terminal

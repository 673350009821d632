// Encodes keys as terminals have always sent them, and detects keys that this
// encoding cannot distinguish. Pure functions; key_protocols.h has the
// encodings that programs can request instead.
#pragma once

#include <string>

#include "terminal/keys.h"

namespace glasstty::terminal {

// Returns the bytes for one press; modifiers that cannot be encoded are
// dropped. The result is "" if the key has no legacy encoding. REQUIRES: the
// key is as Unshifted returns it.
std::string EncodeLegacy(const Key& key, const Modes& modes);

// Returns false if the key has no legacy encoding, or the same one as with
// fewer modifiers. REQUIRES: the key is as Unshifted returns it.
bool IsLegacy(const Key& key);

}  // namespace glasstty::terminal

// Encodes keys as terminals have always sent them, and tells which keys are
// therefore indistinguishable. Pure functions; key_protocols.h has what
// programs can request instead.
#pragma once

#include <string>

#include "terminal/keys.h"

namespace glasstty::terminal {

// Returns the bytes for one press; modifiers that cannot be encoded are
// dropped. Empty: there is no such key. REQUIRES: the key is as Unshifted
// returns it.
std::string EncodeLegacy(const Key& key, const Modes& modes);

// Returns false if the bytes are those of no key at all, or also those of the
// key with fewer modifiers. REQUIRES: as above.
bool IsLegacy(const Key& key);

}  // namespace glasstty::terminal

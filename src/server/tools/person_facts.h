// Describes the person at the keyboard for replies, in words and in JSON.
//
// The descriptions never contain text that a person typed, only its amount.
// Echoed text is on the screen anyway.
#pragma once

#include <string>

#include "base/clock.h"
#include "session/session.h"
#include "support/json.h"

namespace glasstty {

// Returns a text such as "a person has the keyboard (attach, 12 s)". REQUIRES:
// person().here().
std::string PersonHere(const session::Session& session);
// Returns "not typed: a person has ..." and what to do. REQUIRES:
// person().here().
std::string NotTyped(const session::Session& session);
// Returns a text such as "handed back after 48 s: a person typed 31 keys and 1
// secret, ...". `seen` are the visits that were already reported to the reader.
std::string HandedBack(const session::Session& session,
                       const session::Visits& seen);

// Returns {"via": "attach", "since_s": 12}. REQUIRES: person().here().
Json PersonJson(const session::Session& session);
// Returns {"seconds": 48, "keys": 31, "secrets": 1, "size": [50, 160], "how":
// "given"}.
Json HandedBackJson(const session::Session& session,
                    const session::Visits& seen);

}  // namespace glasstty

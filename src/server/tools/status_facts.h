// Describes what a program reports of itself (OSC 7501), for replies and lists.
// The texts are the program's choice, so they are quoted. Pure functions.
#pragma once

#include <string>

#include "session/session.h"
#include "support/json.h"

namespace glasstty {

// Returns what the program reports of itself (OSC 7501) besides its state, as
// in `"claude" says "approve ..."`; "" if there is nothing.
std::string StatusSays(const session::Session& session);
// Returns all of its status, or null.
Json StatusJson(const session::Session& session);

}  // namespace glasstty

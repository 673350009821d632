// Describes what a program reports about itself (OSC 7501), for replies and
// lists. The program chose the texts, so they are quoted, except in JSON. Pure
// functions.
#pragma once

#include <string>

#include "session/session.h"
#include "support/json.h"

namespace glasstty {

// Returns what the program reports besides its state, as in `"claude" says
// "approve ..."`; "" if there is nothing.
std::string StatusSays(const session::Session& session);
// Returns the program's whole status; null if it has reported none.
Json StatusJson(const session::Session& session);

}  // namespace glasstty

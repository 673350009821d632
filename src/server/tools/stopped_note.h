// Detects a command that probably waits for a process that job control has
// stopped.
#pragma once

#include <string>

#include "session/session.h"

namespace glasstty {

// Returns a note if the program is busy and a background process was stopped
// because it wants to read the terminal (SIGTTIN); else "".
std::string StoppedNote(const session::Session& session);

}  // namespace glasstty

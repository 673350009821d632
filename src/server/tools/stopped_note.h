// Detects a command that waits for a process that job control has stopped.
#pragma once

#include <string>

#include "session/session.h"

namespace glasstty {

// Returns a note if the foreground waits for a process that was stopped because
// it used the terminal in the background; else "".
std::string StoppedNote(const session::Session& session);

}  // namespace glasstty

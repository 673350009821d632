// Tells that a command waits for a process that job control has stopped.
#pragma once

#include <string>

#include "session/session.h"

namespace glasstty {

// Returns "" unless the foreground waits for a process that is stopped because
// it wants the terminal in the background.
std::string StoppedNote(const session::Session& session);

}  // namespace glasstty

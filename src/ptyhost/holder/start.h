// Turns this process into the holder of a session: reads the inherited
// descriptors (wire/start_fds.h) and runs the loop of Holder.
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"

namespace glasstty::holder {

// Returns true if the descriptors of start_fds.h are open. Sets close-on-exec
// for these descriptors, so programs do not inherit them.
bool HasStartDescriptors();
// Returns the text from kSpecFd; nothing if it cannot be read or is too long.
std::optional<std::string> ReadStartSpec();
// Detaches from the launcher's standard descriptors, working directory and
// signal handling. Returns a signalfd(2) for SIGCHLD, SIGTERM, SIGHUP and
// SIGINT, which is invalid on failure, or if the session's directory is not
// private to this user.
UniqueFd LeaveLauncher();

// Runs the session; returns the exit status of the process.
int RunHolder(const std::string& spec);

}  // namespace glasstty::holder

// Turns this process into the holder of a session: reads the inherited
// descriptors (wire/start_fds.h) and runs the loop of Holder.
#pragma once

#include <string>

#include "base/fd.h"

namespace glasstty::holder {

// False when the process was started by somebody else. The descriptors do not
// reach programs from then on.
bool HasStartDescriptors();
// What is to be started, encoded. False when it cannot be read.
bool ReadStartSpec(std::string* text);
// Signals by descriptor, no terminal, no working directory of the launcher's;
// the directory must be ours alone. `*signals` reads SIGCHLD and SIGTERM.
bool LeaveLauncher(UniqueFd* signals);

// Runs the session; returns the exit status of the process.
int RunHolder(const std::string& spec);

}  // namespace glasstty::holder

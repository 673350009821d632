// Finds the name under which people know a process.
//
// The kernel's name of a process is that of its first thread, and runtimes such
// as node name that thread after its task: every program for node would be
// called "node-MainThread". Reads /proc; keeps no state.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::holder {

// Returns "" if the process has gone.
std::string ReadKnownName(pid_t pid);

// Returns the name of the program in a command line whose first program is a
// runtime: the script that it runs, without ".js" and the like, or else the
// runtime itself; "" if there is neither. A script that is called index.js or
// cli.js is known by its package.
std::string NameOfCommand(const std::vector<std::string>& arguments);

// Returns true if a name from the kernel means no more than "first thread" (of
// node and the like). The kernel may have cut it off after 15 bytes.
bool IsNameOfFirstThread(std::string_view name);

}  // namespace glasstty::holder

// Finds the name under which people know a process.
//
// The kernel's name of a process is that of its first thread, and runtimes such
// as node name that thread after its task: every program that runs in node
// would be called "node-MainThread". Reads /proc; keeps no state.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::holder {

// Returns "" if the process has gone.
std::string ReadKnownName(pid_t pid);

// Returns the name of the program in the command line of a runtime: the script
// that the runtime runs, without ".js" and the like, or else the runtime
// itself; "" if there are no arguments. A script that is called index.js or
// cli.js is known by a folder above it, usually that of its package.
std::string NameOfCommand(const std::vector<std::string>& arguments);

// Returns true if a name from the kernel means no more than "first thread" (of
// node and the like). The kernel may have cut it off after 15 bytes.
bool IsNameOfFirstThread(std::string_view name);

}  // namespace glasstty::holder

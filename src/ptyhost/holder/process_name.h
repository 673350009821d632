// Finds the name under which people know a process.
//
// The kernel's name of a process is that of its first thread. Runtimes such as
// node name that thread after its task, so every program in node is called
// "node-MainThread". Reads /proc; keeps no state.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::holder {

// Returns "" if the process has gone.
std::string ReadKnownName(pid_t pid);

// Returns the name of the program in the command line of a runtime: the script
// without ".js" and the like, or else the runtime itself; "" if there are no
// arguments. For a script with a name such as index.js or cli.js, it is the
// name of a folder above, usually that of the package.
std::string NameOfCommand(const std::vector<std::string>& arguments);

// Returns true if a name from the kernel only describes the first thread of a
// runtime such as node. The kernel truncates names to 15 bytes.
bool IsNameOfFirstThread(std::string_view name);

}  // namespace glasstty::holder

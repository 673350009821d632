// The settings of the terminal at which a shell without our integration waits.
//
// A program that is killed leaves them as it needed them, and a shell that
// edits no lines goes on with that: after `stty raw` it does not see Enter.
// Shells with our integration repair this themselves; for the others the server
// does it, through the terminal that /proc shows, or the shell itself does it,
// with a file that it is given. Owns nothing.
#pragma once

#include <string>

namespace glasstty::session {

enum class TerminalRepair {
  kNotNeeded,
  kRepaired,
  // The process may not be looked into, or does not have the terminal open.
  kNotPossible,
};

// Repairs the terminal of the shell `pid`, which waits at its prompt. Does
// nothing for a program that edits its lines itself, whatever it is called,
// because that has settings of its own while it waits. `was_killed`: a signal
// ended the last command, so all its settings are undone; otherwise only those
// are with which the shell reads no lines, because people have made the others.
TerminalRepair RepairTerminal(int pid, bool was_killed);

// Returns true if the process `pid` finds the same `directory` under this path
// as we do (it may be in a container) and is our user's, so that it can read
// files there.
bool ReadsFilesIn(int pid, const std::string& directory);

}  // namespace glasstty::session

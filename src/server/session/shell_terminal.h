// Repairs the settings of the terminal at which a shell without our integration
// waits.
//
// A program that is killed leaves its own settings behind, and a shell without
// a line editor continues with them: after `stty raw` it does not see Enter.
// Shells with our integration repair this themselves. For others, the server
// repairs the terminal that it finds through /proc, or the shell does so by a
// file that it is given. Owns nothing.
#pragma once

#include <string>

namespace glasstty::session {

enum class TerminalRepair {
  kNotNeeded,
  kRepaired,
  // The process may not be examined, or does not have the terminal open.
  kNotPossible,
};

// Repairs the terminal of the shell `pid`, which waits at its prompt. Does
// nothing for a program with a line editor, whatever its name, because such a
// program has its own settings while it waits. `was_killed`: a signal ended the
// last command, so all its settings are undone. Otherwise only those settings
// are undone that keep the shell from reading lines, because people may have
// made the others.
TerminalRepair RepairTerminal(int pid, bool was_killed);

// Returns true if the process `pid`, which may be in a container, finds the
// same `directory` under this path as we do, and belongs to our user, so that
// it can read files there.
bool ReadsFilesIn(int pid, const std::string& directory);

}  // namespace glasstty::session

// Repairs the settings of the terminal of a shell without our integration.
//
// A program that is killed leaves its own settings behind, and a shell without
// a line editor continues with them: after `stty raw` it does not see Enter.
// RepairTerminal finds the terminal of such a shell through /proc. Other shells
// repair their terminals themselves (session/shell/, typing/shell_run.cc). Owns
// nothing.
#pragma once

#include <string>

namespace glasstty::session {

enum class TerminalRepair {
  // The settings may stay, or the program may have a line editor.
  kNotNeeded,
  kRepaired,
  // The process is gone, or its terminal cannot be opened or changed.
  kNotPossible,
};

// Repairs the terminal of the shell `pid`, which waits at its prompt. Does
// nothing unless the executable file has the name of a shell without a line
// editor, because a program with a line editor makes its own settings while it
// waits. A repair changes only a fixed list of settings, as our integration
// does. `was_killed`: a signal ended the last command, so every unusual setting
// is repaired. Otherwise, a person may have chosen the settings, so they are
// repaired only if they keep the shell from reading lines.
TerminalRepair RepairTerminal(int pid, bool was_killed);

// Returns true if the process `pid` can read files in `directory`: it belongs
// to our user, and `directory` is the same directory for it as for us, even if
// it is in a container.
bool ReadsFilesIn(int pid, const std::string& directory);

}  // namespace glasstty::session

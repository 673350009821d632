// Detects commands that need a terminal, so that an agent that is about to run
// one in its built-in shell can be referred to a session. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace glasstty {

// Returns the name of the first program in a shell's command line that would
// ask or draw on a terminal: `ssh HOST` without a command, sudo, editors,
// `top`, database shells, interpreters without a program. Returns "" if there
// is none, or if the program's input is redirected, or its output goes into a
// pipe. A redirection of the output to a file is not noticed.
std::string WantsTerminal(std::string_view line);

}  // namespace glasstty

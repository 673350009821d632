// Finds out what a session runs, as a command line that a person would type,
// and where.
//
// Reads /proc; the texts are safe to show: on one line, without invisible
// characters. Pure functions otherwise.
#pragma once

#include <string>

#include "record/origin.h"
#include "wire/packets.h"

namespace glasstty::watch {

struct Foreground {
  // The command, as a person would have typed it.
  std::string program;
  // The working directory of the program or, on another machine, the name of
  // that machine.
  std::string where;
};

// Returns the command line with which the session was opened. For a client of
// another machine, leaves out the command that it runs there.
std::string OpenedWith(const record::SessionOrigin& origin);
// Describes the program that was started, and the directory in which it was
// started.
Foreground StartedProgram(const record::SessionOrigin& origin);
// Describes the program in the foreground according to the holder's answer.
Foreground ForegroundOf(const record::SessionOrigin& origin,
                        const wire::ProbeAnswer& answer);

}  // namespace glasstty::watch

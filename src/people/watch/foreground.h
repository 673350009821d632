// Tells what a session runs, in the words of the person who typed it, and
// where.
//
// Reads /proc; the texts are clean: on one line, without invisible characters.
// Pure functions otherwise; any thread.
#pragma once

#include <string>

#include "record/origin.h"
#include "wire/packets.h"

namespace glasstty::watch {

struct Foreground {
  // The command, as a person would have typed it.
  std::string program;
  // The directory in which it works; for another machine, its name.
  std::string where;
};

// Returns the words with which the session was opened: a client of another
// machine without what it runs there.
std::string OpenedWith(const record::SessionOrigin& origin);
// Describes the program that was started, in the directory where that was.
Foreground StartedProgram(const record::SessionOrigin& origin);
// Describes what is in the foreground according to the holder's answer.
Foreground ForegroundOf(const record::SessionOrigin& origin,
                        const wire::ProbeAnswer& answer);

}  // namespace glasstty::watch

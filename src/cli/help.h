// The texts of `--help`, generated from the tables of commands and settings.
#pragma once

#include <string>

#include "cli/command.h"

namespace glasstty {

// "tail [-f] [-n LINES] SESSION", without the program's name.
std::string Synopsis(const CommandRow& command);
// "-n LINES", "--format v2|v3".
std::string FlagText(const FlagRow& flag);
// "usage: glasstty tail ..." and a newline, for wrong calls.
std::string Usage(const CommandRow& command);

// Of one command: usage, flags, an example.
std::string CommandHelp(const CommandRow& command);
// Of the program as a whole: commands by section, settings.
std::string ProgramHelp();

// "glasstty 0.1.0 (4851ef4)".
std::string VersionText();

}  // namespace glasstty

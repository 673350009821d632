// The texts of `--help`, generated from the tables of commands and settings.
#pragma once

#include <string>
#include <vector>

#include "cli/call_arguments.h"
#include "cli/command.h"

namespace glasstty {

// Returns "tail [-f] [-n LINES] SESSION", without the program's name.
std::string Synopsis(const CommandRow& command);
// Returns "-n LINES" or "--format v2|v3".
std::string FlagText(const FlagRow& flag);
// Returns "usage: glasstty tail ..." and a newline. CommandHelp begins with it,
// and it follows messages about invalid arguments.
std::string Usage(const CommandRow& command);

// Returns the help of one command: usage, flags, an example.
std::string CommandHelp(const CommandRow& command);
// Returns a row for each flag that is passed on to a tool.
std::string ToolFlagsHelp(const std::vector<ToolFlag>& flags);
// Returns the help of the whole program: commands by section, settings.
std::string ProgramHelp();

// Returns a text such as "glasstty 0.1.0 (4851ef4)".
std::string VersionText();

}  // namespace glasstty

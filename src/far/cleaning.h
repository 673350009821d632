// Removes glasstty's files from a place: the directory of a session that has
// ended, or everything.
//
// Removes only glasstty's own files. If a directory contains others, they stay,
// and so does the directory. Single-threaded.
#pragma once

#include <string>
#include <vector>

namespace glasstty::far {

// Of files and directories, in no order.
std::vector<std::string> NamesIn(int directory);

// `sessions`: the directory of the sessions over there.
void RemoveSession(int sessions, const std::string& id);

// Removes all that is in the directory `home` (.../glasstty): ended sessions,
// our programs, and itself. Where sessions run nothing is touched. Says how it
// went, as CleaningLine (place/bootstrap.h) has it: "removed DIRECTORY".
std::string CleanUp(const std::string& home);

}  // namespace glasstty::far

// Removing what a place has of ours: a session's directory when it has ended,
// or everything.
//
// Files of ours only: what else lies in a directory stays, and so does the
// directory. Single thread.
#pragma once

#include <string>
#include <vector>

namespace glasstty {

// Of files and directories, in no order.
std::vector<std::string> NamesIn(int directory);

// `sessions`: the directory of the sessions over there.
void RemoveSession(int sessions, const std::string& id);

// Removes all that is in the directory `home` (.../glasstty): ended sessions,
// our programs, and itself. Where sessions run nothing is touched. Says how it
// went, as CleaningLine (place/bootstrap.h) has it: "removed DIRECTORY".
std::string CleanUp(const std::string& home);

}  // namespace glasstty

// Removes glasstty's files from a place: the directory of a session that has
// ended, or everything.
//
// Removes only glasstty's own files. If a directory contains others, they stay,
// and so does the directory. Single-threaded.
#pragma once

#include <string>
#include <vector>

namespace glasstty::far {

// Returns the names of the files and directories in `directory`, in no order.
std::vector<std::string> NamesIn(int directory);

// Removes one session. `sessions` is the directory of the sessions there.
void RemoveSession(int sessions, const std::string& id);

// Removes all that is in the directory `home` (.../glasstty): ended sessions,
// our programs, and the directory itself. Touches nothing if sessions still run
// there. Returns the result as CleaningLine (place/bootstrap.h) prints it:
// "removed DIRECTORY".
std::string CleanUp(const std::string& home);

}  // namespace glasstty::far

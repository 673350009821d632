// Removes the directory of a session that has ended, or all of glasstty's
// files, from a place.
//
// Every file in a session's directory counts as glasstty's own. If another
// directory contains foreign files, the directory and those files are kept.
// Single-threaded.
#pragma once

#include <string>
#include <vector>

namespace glasstty::far {

// Returns the names of the files and directories in `directory`, in no order.
std::vector<std::string> NamesIn(int directory);

// Removes the directory of the session `id` from `sessions`, the parent of the
// directories of all sessions.
void RemoveSession(int sessions, const std::string& id);

// Removes the ended sessions and glasstty's programs from the directory `home`
// (.../glasstty), and the directory itself. Removes nothing while sessions run
// there. Returns the result in the words of CleaningLine (place/bootstrap.h),
// such as "removed DIRECTORY" or "busy COUNT DIRECTORY".
std::string CleanUp(const std::string& home);

}  // namespace glasstty::far

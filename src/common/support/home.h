// Expands "~" at the beginning of paths that come from users and agents without
// having passed through a shell.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace glasstty {

// Returns the home directory of the user who runs us: $HOME, or else the one in
// the password database. Empty if neither is known.
std::string HomeDirectory();

// Replaces "~" or "~user" at the beginning of `path` by that home directory, as
// shells do (POSIX.1, "Tilde Expansion"); other paths are unchanged. Error:
// there is no such user.
absl::StatusOr<std::string> ExpandHome(const std::string& path);

// Returns "~/app" for a path below the user's home.
std::string HomeRelative(std::string path);

}  // namespace glasstty

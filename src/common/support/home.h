// Expands "~" at the beginning of paths from users and agents, which no shell
// has expanded, and abbreviates paths for display.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace glasstty {

// Returns the home directory of this process's user: $HOME, or else the entry
// in /etc/passwd, or else "".
std::string HomeDirectory();

// Replaces "~" or "~user" at the beginning of `path` by the home directory, as
// shells do (POSIX.1, "Tilde Expansion"); other paths are unchanged. Fails if
// there is no such user, or the home directory is unknown.
absl::StatusOr<std::string> ExpandHome(const std::string& path);

// Replaces the user's home directory at the beginning of `path` by "~"; other
// paths are unchanged.
std::string HomeRelative(std::string path);

}  // namespace glasstty

// "~" at the beginning of a path, for paths that users and agents name and no
// shell has seen.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace glasstty {

// The home directory of the user who runs us: $HOME, else what the password
// database says. Empty when neither is known.
std::string HomeDirectory();

// `path` with "~" or "~user" in front replaced by that home directory, as
// shells do (POSIX.1, "Tilde Expansion"); others are returned as they are.
// Error: there is no such user.
absl::StatusOr<std::string> ExpandHome(const std::string& path);

}  // namespace glasstty

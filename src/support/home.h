// Expands "~" at the beginning of paths that come from users and agents without
// having passed through a shell.
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

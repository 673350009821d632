// Opens files in glasstty's own directories for writing, safely even if a link
// or a pipe has taken a file's place. Owns nothing.
#pragma once

#include <string>

#include "base/fd.h"

namespace glasstty {

// Opens the file `name` below `dir_fd` with these flags (O_WRONLY and more) and
// mode 0600. Follows no symbolic link, and does not wait for the reader of a
// pipe. Returns an invalid descriptor with errno on failure; EINVAL means that
// it is not a regular file.
UniqueFd OpenOwnFileAt(int dir_fd, const std::string& name, int flags);

}  // namespace glasstty

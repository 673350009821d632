// Opens files in glasstty's own directories for writing, safely even if a link
// or a FIFO has taken the place of a file. Owns nothing.
#pragma once

#include <string>

#include "base/fd.h"

namespace glasstty {

// Opens the file `name` below `dir_fd` with `flags` (O_WRONLY and others); a
// new file gets mode 0600. Follows no symbolic link, and does not wait for the
// reader of a FIFO. Returns an invalid descriptor with errno on failure; EINVAL
// or ENXIO means that the existing file is not a regular one.
UniqueFd OpenOwnFileAt(int dir_fd, const std::string& name, int flags);

}  // namespace glasstty

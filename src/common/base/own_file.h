// Opens files of our own directories for writing, whatever stands in their
// place.
#pragma once

#include <string>

#include "base/fd.h"

namespace glasstty {

// Opens the file `name` below `dir_fd` with these flags (O_WRONLY and more) and
// mode 0600. Follows no symbolic link, and does not wait for the reader of a
// pipe. Returns an invalid descriptor with errno on failure; EINVAL: it is not
// a regular file.
UniqueFd OpenOwnFileAt(int dir_fd, const std::string& name, int flags);

}  // namespace glasstty

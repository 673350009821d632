#include "base/own_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

namespace glasstty {

UniqueFd OpenOwnFileAt(int dir_fd, const std::string& name, int flags) {
  UniqueFd file(openat(dir_fd, name.c_str(),
                       flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600));
  struct stat info;
  if (!file.valid() || fstat(file.get(), &info) != 0) return UniqueFd();
  if (!S_ISREG(info.st_mode)) {
    file.Reset();
    errno = EINVAL;
  }
  return file;
}

}  // namespace glasstty

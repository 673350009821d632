#include "holder/inner_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cstdio>

#include "base/fd.h"

namespace glasstty::holder {

bool LookInside(const InnerTerminal& terminal, InnerLook* look) {
  if (terminal.index < 0) return false;
  char path[32];
  snprintf(path, sizeof path, "/dev/pts/%d", terminal.index);
  UniqueFd fd(open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  // In another mount namespace the same path is another terminal.
  struct stat info;
  if (!fd.valid() || fstat(fd.get(), &info) != 0 ||
      info.st_rdev != terminal.device) {
    return false;
  }
  // In this order, as in Device::UnreadInput.
  pollfd query{fd.get(), POLLIN, 0};
  poll(&query, 1, 0);
  return ioctl(fd.get(), FIONREAD, &look->unread) == 0 &&
         tcgetattr(fd.get(), &look->attributes) == 0;
}

}  // namespace glasstty::holder

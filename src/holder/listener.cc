#include "holder/listener.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>

namespace glasstty::holder {
namespace {

// The socket is 0600 in a directory that is 0700; this holds also where
// somebody has changed the modes.
bool IsSameUser(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
}

}  // namespace

bool Listener::Listen() {
  constexpr int kBacklog = 8;
  socket_.Reset(socket(AF_UNIX, type_ | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket_.valid()) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // Through the descriptor: the directory's path may be too long for it.
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
           dir_fd_, name_);
  // bind(2) takes the mode from the umask, which is the program's to inherit.
  mode_t before = umask(0177);
  int result = bind(socket_.get(), reinterpret_cast<sockaddr*>(&address),
                    sizeof address);
  umask(before);
  return result == 0 && listen(socket_.get(), kBacklog) == 0;
}

void Listener::Stop() {
  if (socket_.valid()) unlinkat(dir_fd_, name_, 0);
  socket_.Reset();
}

UniqueFd Listener::Accept() {
  UniqueFd fd(
      accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (fd.valid() && !IsSameUser(fd.get())) fd.Reset();
  return fd;
}

}  // namespace glasstty::holder

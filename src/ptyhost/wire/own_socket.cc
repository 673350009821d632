#include "wire/own_socket.h"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace glasstty::wire {
namespace {

sockaddr_un AddressOf(int directory, const char* name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
           directory, name);
  return address;
}

bool IsOwnPeer(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
}

}  // namespace

bool SocketsAreRefused() {
  UniqueFd fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  return !fd.valid() &&
         (errno == EPERM || errno == EACCES || errno == EAFNOSUPPORT);
}

UniqueFd ListenAt(int directory, const char* name, int type, int backlog) {
  UniqueFd fd(socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return fd;
  sockaddr_un address = AddressOf(directory, name);
  // bind(2) derives the mode from the umask, which must be restored because
  // programs inherit it.
  mode_t before = umask(0177);
  int result =
      bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
  umask(before);
  if (result != 0 || listen(fd.get(), backlog) != 0) fd.Reset();
  return fd;
}

UniqueFd AcceptOwn(int listener) {
  UniqueFd fd(
      accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (fd.valid() && !IsOwnPeer(fd.get())) {
    fd.Reset();
    errno = EPERM;
  }
  return fd;
}

UniqueFd ConnectAt(int directory, const char* name, int type) {
  UniqueFd fd(socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return fd;
  sockaddr_un address = AddressOf(directory, name);
  int result =
      connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
  if (result == 0 && !IsOwnPeer(fd.get())) {
    errno = EPERM;
    result = -1;
  }
  if (result != 0) fd.Reset();
  return fd;
}

}  // namespace glasstty::wire

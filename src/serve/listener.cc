#include "serve/listener.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "support/status.h"
#include "wire/shared_server.h"

namespace glasstty::serve {
namespace {

// The first descriptor that systemd hands over (SD_LISTEN_FDS_START).
constexpr int kFirstHandedOver = 3;

// The socket that systemd listens on for us; invalid when there is none. The
// variables go, so that no program takes them for its own.
UniqueFd TakeHandedOver() {
  const char* pid = std::getenv("LISTEN_PID");
  const char* count = std::getenv("LISTEN_FDS");
  bool is_ours = pid != nullptr && count != nullptr &&
                 std::to_string(getpid()) == pid &&
                 std::string_view(count) != "0";
  for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) {
    unsetenv(name);
  }
  if (!is_ours) return UniqueFd();
  UniqueFd fd(kFirstHandedOver);
  int listens = 0;
  socklen_t size = sizeof listens;
  sockaddr_un address{};
  socklen_t length = sizeof address;
  bool good =
      getsockopt(fd.get(), SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 &&
      listens != 0 &&
      getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &length) ==
          0 &&
      address.sun_family == AF_UNIX && SetNonBlocking(fd.get()) &&
      fcntl(fd.get(), F_SETFD, FD_CLOEXEC) == 0;
  if (!good) fd.Reset();
  return fd;
}

// POSIX locks tell who has them. They go when the process closes any descriptor
// of the file, so it is opened here alone.
absl::StatusOr<UniqueFd> TakeLock(int directory, const std::string& base) {
  UniqueFd lock(openat(directory, wire::kServeLock,
                       O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock.valid()) return ErrnoStatus("open", base + "/serve/lock");
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (fcntl(lock.get(), F_SETLK, &whole) == 0) return lock;
  if (errno != EACCES && errno != EAGAIN) {
    return ErrnoStatus("lock", base + "/serve/lock");
  }
  return AlreadyExists(
      "a shared server is already running (process %d); `glasstty serve "
      "--stop` ends "
      "it",
      wire::ServerPid(base));
}

}  // namespace

absl::StatusOr<Listener> Listener::Open(const std::string& base) {
  UniqueFd directory = wire::OpenServeDirectory(base, true);
  if (!directory.valid()) return ErrnoStatus("use", base + "/serve");
  ASSIGN_OR_RETURN(UniqueFd lock, TakeLock(directory.get(), base));
  Listener listener(std::move(directory), std::move(lock));
  listener.socket_ = TakeHandedOver();
  if (!listener.socket_.valid()) RETURN_IF_ERROR(listener.Bind());
  return listener;
}

// Whoever left the file there is dead: we have the lock.
absl::Status Listener::Bind() {
  unlinkat(directory_.get(), wire::kServeSocket, 0);
  socket_.Reset(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket_.valid()) return ErrnoStatus("make", "a socket");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // Through the descriptor: the path may be longer than sun_path takes.
  std::snprintf(address.sun_path, sizeof address.sun_path,
                "/proc/self/fd/%d/%s", directory_.get(), wire::kServeSocket);
  // bind(2) takes the mode from the umask.
  mode_t before = umask(0177);
  int bound = bind(socket_.get(), reinterpret_cast<sockaddr*>(&address),
                   sizeof address);
  umask(before);
  if (bound != 0 || listen(socket_.get(), kBacklog) != 0) {
    return ErrnoStatus("listen on", wire::kServeSocket);
  }
  is_file_ours_ = true;
  return absl::OkStatus();
}

UniqueFd Listener::Accept() {
  UniqueFd fd(
      accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  // The directory keeps others out; this holds also where somebody has changed
  // its mode.
  if (fd.valid() && !wire::IsOwnPeer(fd.get())) {
    fd.Reset();
    errno = EPERM;
  }
  return fd;
}

void Listener::Close() {
  if (!socket_.valid()) return;
  if (is_file_ours_) unlinkat(directory_.get(), wire::kServeSocket, 0);
  socket_.Reset();
}

}  // namespace glasstty::serve

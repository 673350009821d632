#include "serve/listener.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "support/status.h"
#include "wire/own_socket.h"
#include "wire/shared_server.h"

namespace glasstty::serve {
namespace {

// The first descriptor that systemd passes (SD_LISTEN_FDS_START).
constexpr int kFirstHandedOver = 3;

// Returns the listening socket that systemd has passed; invalid if there is
// none. Removes the variables, so that no child process applies them to itself.
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

// A POSIX lock reveals its owner. A process loses the lock when it closes any
// descriptor of the file, so the file is opened only here.
absl::StatusOr<UniqueFd> OpenLock(int directory, const std::string& base) {
  UniqueFd lock(openat(directory, wire::kServeLock,
                       O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock.valid()) return ErrnoStatus("open", base + "/serve/lock");
  if (TakeLock(lock.get())) return lock;
  if (errno != EACCES && errno != EAGAIN) {
    return ErrnoStatus("lock", base + "/serve/lock");
  }
  return AlreadyExists(
      "a shared server is already running (process %d); `glasstty serve "
      "--stop` ends "
      "it",
      OwnerOf(lock.get()).pid);
}

// Returns true if `name` in `directory` is the file that `fd` has opened.
bool IsSame(int directory, const char* name, int fd) {
  struct stat found, own;
  return fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
         fstat(fd, &own) == 0 && found.st_ino == own.st_ino &&
         found.st_dev == own.st_dev;
}

}  // namespace

absl::StatusOr<Listener> Listener::Open(const std::string& base) {
  UniqueFd directory = wire::OpenServeDirectory(base, true);
  if (!directory.valid()) return ErrnoStatus("use", base + "/serve");
  ASSIGN_OR_RETURN(UniqueFd lock, OpenLock(directory.get(), base));
  Listener listener(std::move(directory), std::move(lock));
  listener.socket_ = TakeHandedOver();
  if (!listener.socket_.valid()) RETURN_IF_ERROR(listener.Bind());
  return listener;
}

// Keeps the lock if its file is still there, because opening and closing that
// file once more would release the lock.
absl::Status Listener::Renew(const std::string& base) {
  UniqueFd directory = wire::OpenServeDirectory(base, true);
  if (!directory.valid()) return ErrnoStatus("use", base + "/serve");
  if (!IsSame(directory.get(), wire::kServeLock, lock_.get())) {
    ASSIGN_OR_RETURN(lock_, OpenLock(directory.get(), base));
  }
  directory_ = std::move(directory);
  return Bind();
}

// Replaces an existing socket file: this process has the lock, so the process
// that has created the file is dead.
absl::Status Listener::Bind() {
  unlinkat(directory_.get(), wire::kServeSocket, 0);
  UniqueFd socket = wire::ListenAt(directory_.get(), wire::kServeSocket,
                                   SOCK_STREAM, kBacklog);
  if (!socket.valid()) return ErrnoStatus("listen on", wire::kServeSocket);
  socket_ = std::move(socket);
  is_file_ours_ = true;
  return absl::OkStatus();
}

UniqueFd Listener::Accept() { return wire::AcceptOwn(socket_.get()); }

bool Listener::IsReachable(const std::string& base) const {
  if (!is_file_ours_) return true;
  UniqueFd there = wire::OpenServeDirectory(base, false);
  return there.valid() && IsSame(there.get(), ".", directory_.get()) &&
         IsSame(there.get(), wire::kServeLock, lock_.get()) &&
         faccessat(there.get(), wire::kServeSocket, F_OK, 0) == 0;
}

void Listener::Close() {
  if (!socket_.valid()) return;
  if (is_file_ours_) unlinkat(directory_.get(), wire::kServeSocket, 0);
  socket_.Reset();
}

}  // namespace glasstty::serve

#include "base/process_lock.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace glasstty {
namespace {

constexpr int kLookMs = 5;

struct flock WholeFile() {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return whole;
}

}  // namespace

bool TakeLock(int fd) {
  struct flock whole = WholeFile();
  return fcntl(fd, F_SETLK, &whole) == 0;
}

// Polls because F_SETLKW has no time limit.
bool AwaitLock(int fd, int patience_ms) {
  for (int waited = 0; !TakeLock(fd); waited += kLookMs) {
    if (errno != EACCES && errno != EAGAIN) return false;
    if (waited >= patience_ms) return false;
    poll(nullptr, 0, kLookMs);
  }
  return true;
}

LockOwner OwnerOf(int fd) {
  struct flock owner = WholeFile();
  if (fcntl(fd, F_GETLK, &owner) != 0) return {};
  // l_pid is -1 for a lock of an open file description (F_OFD_SETLK).
  return {owner.l_type != F_UNLCK, owner.l_pid > 0 ? owner.l_pid : 0};
}

bool KillOwner(int fd) {
  LockOwner owner = OwnerOf(fd);
  if (!owner.exists) return true;
  errno = ESRCH;
  return owner.pid > 0 && kill(owner.pid, SIGKILL) == 0;
}

}  // namespace glasstty

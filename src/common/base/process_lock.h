// An exclusive lock on a whole file, whose owner every process can find out
// (fcntl(2), F_SETLK). A process loses the lock when it closes any descriptor
// of the file, so it must open the file only once.
//
// Owns nothing; works on the caller's descriptor, which must be writable.
#pragma once

#include <sys/types.h>

namespace glasstty {

struct LockOwner {
  bool exists = false;
  // 0 if there is no owner, if its PID namespace is invisible to this process,
  // or if the lock belongs to an open file description (F_OFD_SETLK). Callers
  // must not pass 0 to kill(2), which would signal their own process group.
  pid_t pid = 0;
};

// Takes the lock if it is free. Returns false with EACCES or EAGAIN if another
// process holds it.
bool TakeLock(int fd);

// Like TakeLock, but tries for up to `patience_ms` milliseconds. Blocks, so
// call this only in a process that serves nobody yet.
bool AwaitLock(int fd, int patience_ms);

// Returns the owner of the lock, if it is another process than this one.
LockOwner OwnerOf(int fd);

// Kills the owner, if there is one. Returns false if it cannot be killed, with
// ESRCH (it lives in another PID namespace, or has just ended) or EPERM in
// errno.
bool KillOwner(int fd);

}  // namespace glasstty

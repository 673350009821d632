// An exclusive lock on a whole file, from which every process can find out the
// owner of the lock (fcntl(2), F_SETLK). A process loses the lock when it
// closes any descriptor of the file, so it must open the file only once.
//
// Owns nothing; works on the caller's descriptor, which must be writable.
#pragma once

#include <sys/types.h>

namespace glasstty {

struct LockOwner {
  bool exists = false;
  // 0 if the owner lives in a PID namespace that this process does not see (the
  // kernel reports 0), if the lock is one of an open file description, or if
  // there is no owner. Callers must not pass 0 to kill(2), which would signal
  // their own process group.
  pid_t pid = 0;
};

// Takes the lock if it is free. Returns false with EACCES or EAGAIN if another
// process holds it.
bool TakeLock(int fd);

// Like TakeLock, but tries for up to `patience_ms` milliseconds. Blocks, so
// call it only in a process that serves nobody yet.
bool AwaitLock(int fd, int patience_ms);

// Returns the process that holds the lock, unless it is this one.
LockOwner OwnerOf(int fd);

// Kills the owner, and returns true; also returns true if there is no owner.
// Returns false if the owner cannot be killed, with ESRCH (it lives in another
// PID namespace, or has just ended) or EPERM in errno.
bool KillOwner(int fd);

}  // namespace glasstty

// Unix sockets that only processes of the same user can connect to.
//
// A socket has mode 0600. The caller must have checked that no other user can
// write to the directory. Both ends also ask the kernel for the peer's user, so
// other users are refused even if the mode was changed. Sockets are addressed
// through the descriptor of their directory, because a path may be longer than
// sun_path. Errors are POSIX: an invalid descriptor, with errno.
#pragma once

#include <sys/socket.h>

#include "base/fd.h"

namespace glasstty::wire {

// Returns true if the kernel refuses unix sockets to this process, as in some
// sandboxes (VS Code's uses seccomp). socketpair(2) still works there.
bool SocketsAreRefused();

// Creates `name` and listens there, with a non-blocking descriptor. `type` is
// as in socket(2). EADDRINUSE means that the name exists already; the caller
// must find out whether a process still listens there.
UniqueFd ListenAt(int directory, const char* name, int type, int backlog);

// Accepts the next connection and makes it non-blocking. If the peer is another
// user's process, closes the connection and fails with EPERM.
UniqueFd AcceptOwn(int listener);

// Connects to `name`. `type` may include SOCK_NONBLOCK. Fails with EPERM if
// another user listens there; a sandbox that forbids sockets may give the same
// error.
UniqueFd ConnectAt(int directory, const char* name, int type);

}  // namespace glasstty::wire

// Unix sockets that only processes of the same user can connect to.
//
// A socket has mode 0600, in a directory that the caller must have checked.
// Both ends also ask the kernel for the user of the peer, which is safe even if
// the modes were changed. Sockets are addressed through the descriptor of their
// directory, because a path may be longer than sun_path. Errors are POSIX: an
// invalid descriptor, with errno.
#pragma once

#include <sys/socket.h>

#include "base/fd.h"

namespace glasstty::wire {

// Returns true if the kernel refuses unix sockets to this process, as in some
// sandboxes (VS Code's uses seccomp). socketpair(2) still works there.
bool SocketsAreRefused();

// Creates `name` and listens there. The descriptor does not block; `type` is as
// in socket(2). EADDRINUSE means that the name exists; the caller must find out
// whether a process listens there.
UniqueFd ListenAt(int directory, const char* name, int type, int backlog);

// Accepts a connection of this user, which does not block. EPERM means that a
// connection of another user was refused.
UniqueFd AcceptOwn(int listener);

// Connects to `name`. `type` may include SOCK_NONBLOCK. EPERM means that
// another user listens there.
UniqueFd ConnectAt(int directory, const char* name, int type);

}  // namespace glasstty::wire

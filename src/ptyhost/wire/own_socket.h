// Unix sockets by which processes of one user reach each other, and nobody else
// reaches them.
//
// A socket has mode 0600 in a directory that its user must have checked, and
// both ends ask the kernel who is at the other one: that holds even if somebody
// has changed the modes. Sockets are named through the descriptor of their
// directory, because a path may be longer than sun_path. Errors are POSIX: an
// invalid descriptor, with errno.
#pragma once

#include <sys/socket.h>

#include "base/fd.h"

namespace glasstty::wire {

// Returns true if the kernel refuses unix sockets to this process, as sandboxes
// arrange it (VS Code's by seccomp). A socketpair is still to be had.
bool SocketsAreRefused();

// Creates `name` and listens there. The descriptor does not block; `type` is as
// in socket(2). EADDRINUSE means that the name exists; the caller must know
// whether anybody listens there.
UniqueFd ListenAt(int directory, const char* name, int type, int backlog);

// Accepts a connection of this user, which does not block. EPERM means that it
// was another user's, and has been refused.
UniqueFd AcceptOwn(int listener);

// Connects to `name`. `type` may include SOCK_NONBLOCK. EPERM means that
// another user listens there.
UniqueFd ConnectAt(int directory, const char* name, int type);

}  // namespace glasstty::wire

// Finds out from /proc and from its memory what a process waits for through a
// ring of io_uring(7).
//
// Keeps no state. Holder thread only.
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

namespace glasstty::holder {

// A descriptor from which a ring waits for input.
struct ArmedInput {
  int fd = -1;
  bool reads = false;  // it is read; false: only polled
};

// Returns the descriptors from which the ring `ring` of a thread waits for
// input. Returns nothing if that cannot be told: if the process may not be
// inspected, or if the ring has another layout than liburing gives it.
std::optional<std::vector<ArmedInput>> ReadArmedInputs(pid_t tid, int ring);

}  // namespace glasstty::holder

// Finds out what a process awaits through an io_uring(7), from /proc and from
// its memory.
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
  bool reads = false;  // true: the ring reads it; false: the ring only polls it
};

// Returns the descriptors from which `ring`, a descriptor of the thread, waits
// for input. Returns nullopt if they cannot be found out, for example because
// the process cannot be inspected. Assumes liburing's layout of the ring.
std::optional<std::vector<ArmedInput>> ReadArmedInputs(pid_t tid, int ring);

}  // namespace glasstty::holder

// Starts the program of a session in a clean state.
//
// The server or its client may have changed the state that children inherit:
// ignored and blocked signals, open descriptors, limits. Resets it, so that the
// program starts as it would in a terminal emulator. The child reports errors
// through a pipe that exec closes. Reading from this pipe is the only blocking
// call of the holder.
#pragma once

#include <sys/types.h>

#include "wire/launch.h"
#include "wire/packets.h"

namespace glasstty::holder {

struct SpawnPlan {
  const wire::LaunchSpec* spec;
  // The descriptors that become 0, 1 and 2 of the program. All must be above 2.
  int stdio[3];
  // True if stdio[0] is a terminal, which becomes the controlling one.
  bool terminal;
  // The directory to which a relative or empty `cwd` refers.
  int start_dir;
};

struct SpawnResult {
  pid_t pid = 0;  // 0: the start failed in `stage` with `error`
  wire::StartStage stage{};
  int error = 0;
};

SpawnResult Spawn(const SpawnPlan& plan);

// The second half of Spawn. Waits until the child `pid` has executed its
// program, which closes the pipe `report`, or has written to the pipe why it
// could not. If the pipe cannot be read, the state of the child is unknown.
// Then its process group is killed, and the start counts as failed.
SpawnResult AwaitExec(int report, pid_t pid);

}  // namespace glasstty::holder

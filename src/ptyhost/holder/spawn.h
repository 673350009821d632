// Starts the program of a session in a clean state.
//
// Resets what the server or its client may have changed for its own process
// (ignored and blocked signals, open descriptors, limits), so that the program
// starts as it would in a terminal emulator. The child reports errors through a
// pipe that exec closes; reading from it is the only blocking call of the
// holder.
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

// The second half of Spawn. Waits until `pid`, a child that leads its own
// session, has executed its program, which closes the pipe `report`, or has
// written to the pipe why it could not. If the pipe cannot be read, the state
// of the child is unknown, so it is killed and the start counts as failed.
SpawnResult AwaitExec(int report, pid_t pid);

}  // namespace glasstty::holder

// Starts the program of a session in a clean state.
//
// Undoes whatever the server or its client did to their own process (ignored
// and blocked signals, open descriptors, limits), so that the program starts as
// it would in a terminal emulator. Errors of the child are reported through a
// pipe that exec closes; waiting for it is the only blocking call of the
// holder.
#pragma once

#include <sys/types.h>

#include "wire/launch.h"
#include "wire/packets.h"

namespace glasstty::holder {

struct SpawnPlan {
  const wire::LaunchSpec* spec;
  // What becomes descriptors 0, 1 and 2. All above 2.
  int stdio[3];
  // stdio[0] is a terminal and becomes the controlling one.
  bool terminal;
  // Where a relative or empty `cwd` starts from.
  int start_dir;
};

struct SpawnResult {
  pid_t pid = 0;  // 0: it failed in `stage` with `error`
  wire::StartStage stage{};
  int error = 0;
};

SpawnResult Spawn(const SpawnPlan& plan);

}  // namespace glasstty::holder

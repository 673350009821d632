// Finds out from /proc whether a program is about to do something by itself,
// such as to draw.
//
// A program that waits for a key may have more to show for the last one. It
// draws when a timer ends, in another thread, or when a program that it has
// started answers. Each of these leaves a trace in the kernel: the time-out of
// the call in which a thread sleeps, a thread that runs, a process that is
// younger than the key. Keeps no state; the holder's thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "holder/tree.h"
#include "wire/packets.h"

namespace glasstty::holder {

// Returns the present time in the units of ProcessStat::start_time.
uint64_t TicksSinceBoot();

// Examines the members of `groups` and those processes below them that have
// started at `since`, in ticks since boot, or later: these were started for the
// last key, while older ones serve something else. `reader` reads the terminal,
// so it does not count as started by a key. Costs about 10 us for each thread;
// only the first 256 are examined.
wire::PendingWork FindPendingWork(const std::vector<Member>& members,
                                  const std::vector<pid_t>& groups,
                                  pid_t reader, uint64_t since);

}  // namespace glasstty::holder

// Finds out from /proc whether a program is about to do something without a
// key, such as to draw.
//
// A program that waits for a key may still have to draw the effect of the last
// one: when a timer ends, in another thread, or when a program that it has
// started answers. /proc shows these cases: the time-out of the call in which a
// thread sleeps, a thread that runs, and a process that is younger than the
// last key. Keeps no state. Holder thread only.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "holder/tree.h"
#include "wire/packets.h"

namespace glasstty::holder {

// Returns the present time in the units of ProcessStat::start_time.
uint64_t TicksSinceBoot();

// Examines the processes of `members` that are in one of `groups`, and those of
// their descendants that started at `since` (in ticks since boot) or later.
// Such descendants were presumably started for the last key, except `reader`,
// which reads the terminal. Costs about 10 us for each thread; only the first
// 256 threads are examined.
wire::PendingWork FindPendingWork(const std::vector<Member>& members,
                                  const std::vector<pid_t>& groups,
                                  pid_t reader, uint64_t since);

}  // namespace glasstty::holder

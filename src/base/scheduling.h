// How the kernel's scheduler treats this process. Owns nothing.
#pragma once

namespace glasstty {

// Asks for time slices of 0.1 ms, the shortest there are: from Linux 6.12 on
// (sched_runtime of an ordinary task, sched_setattr(2)) who asks for little at
// a time is let in soon, beside programs that compute (crowd, 200 floods). The
// share of the processor stays the same. On older kernels nothing is done.
//
// Children do not inherit it; they do not inherit a negative nice value either
// then (SCHED_FLAG_RESET_ON_FORK, sched(7)).
void PreferShortSlices();

}  // namespace glasstty

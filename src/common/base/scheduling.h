// Controls how the kernel's scheduler treats this process. Owns nothing.
#pragma once

namespace glasstty {

// Requests time slices of 0.1 ms, the shortest possible. From Linux 6.12 on, a
// process with short slices is scheduled soon, even beside programs that
// compute (sched_runtime in sched_setattr(2); measured by the benchmark "crowd,
// 200 floods"). Its share of the processor stays the same. Does nothing on
// older kernels.
//
// Children do not inherit the setting; as a side effect, they do not inherit a
// negative nice value either (SCHED_FLAG_RESET_ON_FORK, sched(7)).
void PreferShortSlices();

}  // namespace glasstty

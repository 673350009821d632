// The kernel's limits for this process: the number of descriptors and the size
// of files. Owns nothing, because the limits belong to the process.
#pragma once

#include <sys/resource.h>

#include <optional>

namespace glasstty {

// Raises the soft limit on descriptors to the hard one, because each session
// takes a few.
void RaiseDescriptorLimit();

// Returns the limit from before RaiseDescriptorLimit, or nullopt if that raised
// nothing. Programs must start with the original limit: with a higher one,
// select(2) fails in programs designed for 1,024 descriptors, and loops over
// all descriptors take long.
std::optional<rlimit> OriginalDescriptorLimit();

// After this call, a write to a pipe without a reader, or beyond RLIMIT_FSIZE,
// fails with EPIPE or EFBIG instead of ending the process. Programs inherit the
// ignored signals, so restore SIGPIPE and SIGXFSZ before starting one.
void SurviveFailedWrites();

}  // namespace glasstty

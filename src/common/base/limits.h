// Raises this process's limit on descriptors, and keeps failed writes from
// ending it. Owns nothing.
#pragma once

#include <sys/resource.h>

#include <optional>

namespace glasstty {

// Raises the soft limit on descriptors to the hard one, because each session
// takes a few.
void RaiseDescriptorLimit();

// Returns the limit from before RaiseDescriptorLimit, or nullopt if that call
// raised nothing. Programs must be started with the original limit. With a
// higher one, select(2) fails in programs designed for 1,024 descriptors, and
// loops over all possible descriptors take long.
std::optional<rlimit> OriginalDescriptorLimit();

// After this call, a write to a pipe without a reader, or beyond RLIMIT_FSIZE,
// fails with EPIPE or EFBIG instead of ending the process. Children inherit
// ignored signals, so restore SIGPIPE and SIGXFSZ before starting one.
void SurviveFailedWrites();

}  // namespace glasstty

// The kernel's limits for this process: the number of descriptors and the size
// of files. Owns nothing, because the limits belong to the process.
#pragma once

#include <sys/resource.h>

#include <optional>

namespace glasstty {

// Raises the soft limit to the hard one: each session takes a few descriptors,
// and no user should have to think about that.
void RaiseDescriptorLimit();

// Returns the original limit, for programs that are started: in programs
// designed for 1,024 descriptors, select(2) fails and loops over all
// descriptors take long with more. nullopt: it was not raised.
std::optional<rlimit> OriginalDescriptorLimit();

// From now on, a write to a pipe without a reader, or beyond RLIMIT_FSIZE,
// fails with EPIPE or EFBIG instead of ending the process. Programs inherit
// this, so whoever starts one must restore SIGPIPE and SIGXFSZ first.
void SurviveFailedWrites();

}  // namespace glasstty

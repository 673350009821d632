// The number of descriptors that this process may have open. Owns nothing: the
// limit belongs to the process.
#pragma once

#include <sys/resource.h>

#include <optional>

namespace glasstty {

// Raises the soft limit to the hard one: each session takes a few, and no user
// should have to think of that.
void RaiseDescriptorLimit();

// The limit from before, for programs that are started: select(2) fails, and
// loops over all descriptors last long, in programs that were made for 1,024
// of them. nullopt: it was not raised.
std::optional<rlimit> OriginalDescriptorLimit();

}  // namespace glasstty

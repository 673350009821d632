// Reports how many descriptors this process may have open, and how many are
// left.
//
// It serves code that would rather refuse something than begin it and fail
// halfway. Owns nothing: the limit belongs to the process (base/limits.h raises
// it).
#pragma once

namespace glasstty {

int DescriptorLimit();
// Returns 0 if the number cannot be determined, because that takes a
// descriptor.
int FreeDescriptors();

}  // namespace glasstty

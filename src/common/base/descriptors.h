// Reports how many descriptors this process may have open, and how many are
// left.
//
// With this, callers refuse an operation that would fail halfway for lack of
// descriptors. Owns nothing: the limit is a property of the process
// (base/limits.h raises it).
#pragma once

namespace glasstty {

int DescriptorLimit();
// Returns 0 if there is no /proc, or if no descriptor is left with which to
// count.
int FreeDescriptors();

}  // namespace glasstty

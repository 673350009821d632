// Finds the menu entry that has a sign in front of it, as in fzf without
// backgrounds: "> three.txt". A pure function.
#pragma once

#include <string>

#include "terminal/snapshot.h"

namespace glasstty::view {

// The sign and the entry; "" unless there is one such row only.
std::string FindPointedAt(const terminal::Snapshot& screen);

}  // namespace glasstty::view

// What a full-screen program points at: the selected entry of a menu, the
// cursor bar of a list, a marked text. It is a matter of background alone, so
// it is in no text of the screen. A pure function.
#pragma once

#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty {

// The texts that stand out, from top to bottom; at most three, each of at most
// 60 characters. Empty when nothing does.
std::vector<std::string> FindFocus(const Snapshot& screen);

}  // namespace glasstty

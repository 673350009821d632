// Finds what a full-screen program has selected: the entry of a menu, the
// cursor bar of a list, marked text. Only the background shows this, so the
// text of the screen does not contain it. A pure function.
#pragma once

#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::view {

// The highlighted texts, from top to bottom; at most three, each of at most
// 60 characters. Empty when nothing does.
std::vector<std::string> FindFocus(const terminal::Snapshot& screen);

}  // namespace glasstty::view

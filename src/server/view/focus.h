// Finds what the keys act on in a program that draws: the entry of a list, a
// button, a tab, a check box, a field with its label, or marked text. Only the
// cursor, signs and colours show this, so the text of the screen does not
// contain it. A pure function.
#pragma once

#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::view {

// Returns the texts of what has the focus, in the order of importance: at most
// three, each of at most 60 characters. Returns nothing if the screen does not
// show it.
std::vector<std::string> FindFocus(const terminal::Snapshot& screen);

}  // namespace glasstty::view

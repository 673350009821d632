// Finds the element that has the focus in a full-screen program: an entry of a
// list, a button, a tab, a check box, a field with its label, or selected text.
// Programs show it by the cursor, a pointer sign or colours, and plain text
// often shows none of these. A pure function.
#pragma once

#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::view {

// Returns the texts of at most three focused elements, each cut to 60
// characters. Empty if the screen shows no focus.
std::vector<std::string> FindFocus(const terminal::Snapshot& screen);

}  // namespace glasstty::view

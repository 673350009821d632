// Finds the element on which keys act in a program that draws screens: the
// entry of a list, a button, a tab, a check box, a field with its label, or
// marked text. It is shown only by the cursor, signs and colours, so the text
// of the screen does not reveal it. A pure function.
#pragma once

#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::view {

// Returns the texts of the focused elements, the most important first: at most
// three, each of at most 60 characters. Empty if the screen shows no focus.
std::vector<std::string> FindFocus(const terminal::Snapshot& screen);

}  // namespace glasstty::view

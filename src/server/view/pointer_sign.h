// Finds the entry that a sign points at ("❯ Banana"). A pure function.
#pragma once

#include <string>

#include "view/cell_grid.h"

namespace glasstty::view {

// Returns the sign with its entry if there is exactly one, and "" otherwise. A
// sign in the row `caret` is a prompt, because text is typed there.
std::string FindPointedAt(const CellGrid& grid, int caret);

}  // namespace glasstty::view

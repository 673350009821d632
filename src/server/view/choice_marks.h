// Recognises check boxes and radio buttons, and finds the chosen entry among
// those that have them. Pure functions.
#pragma once

#include <string>

#include "view/cell_grid.h"

namespace glasstty::view {

// Returns how many columns the check box or radio button takes that begins
// here, or 0 if none does.
int MarkAt(const CellGrid& grid, int row, int col);

// Returns whether the run is the mark inside the brackets of a check box, which
// may be all that a program highlights of it.
bool IsInBox(const CellGrid& grid, const CellGrid::Run& run);

// Returns the text of an entry that stands out: with the check box of a label
// or the label of a check box, and up to the next check box or column.
std::string EntryText(const CellGrid& grid, CellGrid::Run run);

// Returns the entry of a list with marks whose label looks different, or which
// alone has a filled radio button. Two words with a slash between them are such
// a list, too. Without marks, the only underlined entry is returned; "" if
// there is none.
std::string FindMarked(const CellGrid& grid);

}  // namespace glasstty::view

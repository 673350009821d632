// Recognises check boxes and radio buttons, and finds the chosen entry among
// those that have them. Pure functions.
#pragma once

#include <string>

#include "view/cell_grid.h"

namespace glasstty::view {

// Returns the width in columns of the check box or radio button that begins at
// this cell, or 0 if none does.
int MarkAt(const CellGrid& grid, int row, int col);

// Returns whether the run is the mark inside the brackets of a check box. Some
// programs highlight only this mark.
bool IsInBox(const CellGrid& grid, const CellGrid::Run& run);

// Returns the text of a highlighted entry, up to the next check box or column:
// a label with its check box, even if only one of them is highlighted.
std::string EntryText(const CellGrid& grid, CellGrid::Run run);

// Returns the chosen entry of a list with marks: the one whose label looks
// different, or the only one with a filled radio button. Two words with a slash
// between them count as such a list. If the marks do not tell, returns the only
// underlined entry; "" if there is none, or more than one.
std::string FindMarked(const CellGrid& grid);

}  // namespace glasstty::view

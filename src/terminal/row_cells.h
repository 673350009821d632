// The text of a row, cut into cells: what stands in which column.
//
// Snapshots carry text, cursors and styles count columns. Cut by the widths
// that the terminal uses, so it agrees with the grid. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::terminal {

// One a column: a glyph with the marks on it, " " for a blank, "" for the right
// half of a wide glyph. A mark with nothing to stand on has a cell of its own.
// Points into `text`.
using RowCells = std::vector<std::string_view>;
RowCells CutIntoCells(std::string_view text);

// The columns [from, to) joined; what is behind the end is blank, and blanks at
// the end are trimmed.
std::string CellsText(const RowCells& cells, size_t from, size_t to);

}  // namespace glasstty::terminal

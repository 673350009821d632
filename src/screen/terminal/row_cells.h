// Splits the text of a row into the texts of its columns.
//
// Snapshots contain text, but cursors and styles count columns. A row of a
// snapshot lists its joints, so it is split as in the grid, except for marks
// with a cell of their own. Text alone is split by the widths of its code
// points. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::terminal {

// The texts of the columns of a row: a glyph with its marks, " " for a blank,
// "" for the right half of a wide glyph. A mark without a base has a cell of
// its own. The entries point into the text that was split.
using RowCells = std::vector<std::string_view>;
RowCells CutIntoCells(std::string_view text);
RowCells CutIntoCells(const SnapshotRow& row);

// Returns the column of the byte `at` of the row's text; for a wide glyph, its
// first column. REQUIRES: at <= row.text.size().
int ColumnAt(const SnapshotRow& row, size_t at);

// Joins the columns [from, to) as far as they exist, without trailing blanks.
std::string CellsText(const RowCells& cells, size_t from, size_t to);

}  // namespace glasstty::terminal

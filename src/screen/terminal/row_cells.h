// Splits the text of a row into the texts of its columns.
//
// Cursors and styles of a snapshot count columns, but its rows are text. A
// SnapshotRow lists its glyphs of unusual width (Joint), so it is split into
// the columns that it had on the screen. Only a combining mark that had a cell
// of its own joins the glyph before it. Plain text is split by the widths of
// its code points alone. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::terminal {

// The text of each column of a row: a glyph with its combining marks, " " for a
// blank, "" for the right half of a wide glyph. A combining mark at the
// beginning of the text has a column of its own. The entries point into the
// text that was split.
using RowCells = std::vector<std::string_view>;
RowCells CutIntoCells(std::string_view text);
RowCells CutIntoCells(const SnapshotRow& row);

// Returns the column of the byte `at` of the row's text; for a wide glyph, its
// first column. REQUIRES: at <= row.text.size().
int ColumnAt(const SnapshotRow& row, size_t at);

// Joins the columns [from, to) as far as they exist, without trailing blanks.
std::string CellsText(const RowCells& cells, size_t from, size_t to);

}  // namespace glasstty::terminal

// Divides the rows of a frame into columns with their styles. Pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "terminal/cell.h"
#include "terminal/snapshot.h"

namespace glasstty::observe {

// One column.
struct PaintCell {
  // A glyph and its marks; " ": a blank, "": the right half of a wide glyph.
  std::string_view text = " ";
  terminal::Style style;

  bool operator==(const PaintCell&) const = default;
  // As after erasing.
  bool IsBlank() const { return text == " " && style == terminal::Style(); }
};
using PaintRow = std::vector<PaintCell>;

// The first `cols` columns of a row, exactly so many. Points into `row`.
PaintRow PaintCells(const terminal::SnapshotRow& row, int cols);
// Columns of the glyph at `col`: 1 or 2.
inline int GlyphWidth(const PaintRow& cells, int col) {
  size_t next = static_cast<size_t>(col) + 1;
  return next < cells.size() && cells[next].text.empty() ? 2 : 1;
}

}  // namespace glasstty::observe

#include "observe/cells.h"

#include <algorithm>

#include "terminal/row_cells.h"

namespace glasstty::observe {

// A wide glyph that does not fit is left out.
PaintRow PaintCells(const terminal::SnapshotRow& row, int cols) {
  PaintRow cells(static_cast<size_t>(cols));
  terminal::RowCells texts = terminal::CutIntoCells(row.text);
  size_t end = std::min(texts.size(), cells.size());
  bool is_cut = end < texts.size() && texts[end].empty();
  if (is_cut) --end;
  for (size_t col = 0; col < end; ++col) cells[col].text = texts[col];
  for (const terminal::StyleRun& run : row.styles) {
    int last = std::min(run.col + run.cols, cols);
    for (int col = std::max(run.col, 0); col < last; ++col) {
      cells[static_cast<size_t>(col)].style = run.style;
    }
  }
  return cells;
}

}  // namespace glasstty::observe

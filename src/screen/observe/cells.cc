#include "observe/cells.h"

#include <algorithm>

#include "base/utf8.h"
#include "terminal/row_cells.h"
#include "terminal/widths.h"

namespace glasstty::observe {

int MostColumns(std::string_view text) {
  int cols = 0;
  while (!text.empty()) cols += terminal::WidthOf(TakeUtf8(&text));
  return std::max(cols, 2);
}

// A wide glyph that does not fit is omitted.
PaintRow PaintCells(const terminal::SnapshotRow& row, int cols) {
  PaintRow cells(static_cast<size_t>(cols));
  terminal::RowCells texts = terminal::CutIntoCells(row);
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

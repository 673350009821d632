#include "terminal/row_cells.h"

#include <algorithm>

#include "base/utf8.h"
#include "support/text.h"
#include "terminal/widths.h"

namespace glasstty::terminal {

RowCells CutIntoCells(std::string_view text) {
  RowCells cells;
  cells.reserve(text.size());
  size_t glyph = 0;  // index of the cell that marks go to
  while (!text.empty()) {
    std::string_view rest = text;
    int width = WidthOf(TakeUtf8(&rest));
    std::string_view taken = text.substr(0, text.size() - rest.size());
    text = rest;
    if (width == 0 && !cells.empty()) {
      std::string_view& base = cells[glyph];
      base = std::string_view(base.data(), base.size() + taken.size());
      continue;
    }
    glyph = cells.size();
    cells.push_back(taken);
    if (width == 2) cells.push_back({});
  }
  return cells;
}

std::string CellsText(const RowCells& cells, size_t from, size_t to) {
  std::string text;
  for (size_t col = from; col < std::min(to, cells.size()); ++col) {
    text += cells[col];
  }
  text.resize(TrimTrailingBlanks(text).size());
  return text;
}

}  // namespace glasstty::terminal

#include "terminal/row_cells.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "support/text.h"
#include "terminal/widths.h"

namespace glasstty::terminal {
namespace {

RowCells Cut(std::string_view text, const std::vector<Joint>& joints) {
  RowCells cells;
  cells.reserve(text.size());
  size_t glyph = 0;  // index of the cell to which marks are added
  auto joint = joints.begin();
  while (!text.empty()) {
    std::string_view rest = text;
    int width = WidthOf(TakeUtf8(&rest));
    // Marks that precede the joint in the text belong to the previous cell.
    bool is_joint = width > 0 && joint != joints.end() &&
                    std::cmp_equal(joint->col, cells.size());
    if (is_joint) {
      auto bytes = static_cast<size_t>(joint->bytes);
      glyph = cells.size();
      cells.push_back(text.substr(0, bytes));
      cells.resize(glyph + static_cast<size_t>(joint->cols));
      text.remove_prefix(std::min(bytes, text.size()));
      ++joint;
      continue;
    }
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

}  // namespace

RowCells CutIntoCells(std::string_view text) { return Cut(text, {}); }

RowCells CutIntoCells(const SnapshotRow& row) {
  return Cut(row.text, row.joints);
}

int ColumnAt(const SnapshotRow& row, size_t at) {
  RowCells cells = CutIntoCells(row);
  size_t bytes = 0, col = 0;
  while (col < cells.size() && bytes + cells[col].size() <= at) {
    bytes += cells[col++].size();
  }
  // Right halves have no bytes.
  while (col > 0 && col < cells.size() && cells[col].empty()) ++col;
  return static_cast<int>(col);
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

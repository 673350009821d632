#include "terminal/row.h"

#include <algorithm>

namespace glasstty {

void Row::Reach(int col) {
  while (used < col) cells[used++] = Cell();
}

void Row::Cut(int cols) {
  if (used <= cols) return;
  used = cols;
  Cell& last = cells[cols - 1];
  if (last.width == 2) last.text = 0, last.width = 1;
}

void Row::Repair() {
  for (int col = 0; col < used; ++col) {
    Cell& cell = cells[col];
    bool is_pair =
        cell.width == 2 && col + 1 < used && cells[col + 1].width == 0;
    if (is_pair) {
      ++col;
    } else if (cell.width != 1) {
      cell.text = 0;
      cell.width = 1;
    }
  }
}

bool Row::IsBlank() const {
  return std::all_of(cells.begin(), cells.begin() + used,
                     [](const Cell& cell) { return cell.text == 0; });
}

bool Row::HasText() const {
  return std::any_of(cells.begin(), cells.begin() + used, [](const Cell& cell) {
    return cell.text != 0 && cell.text != ' ';
  });
}

Style Row::StyleAt(int col) const {
  if (col >= used) return Style();
  const Cell& cell = cells[col];
  return {cell.foreground, cell.background, cell.attributes};
}

void Row::AppendText(int cols, const ClusterTable& clusters,
                     std::string* out) const {
  int end = std::min(used, cols);
  // The left half of a wide glyph whose right half is beyond the edge.
  bool is_cut = end > 0 && end < used && cells[end - 1].width == 2;
  if (is_cut) --end;
  while (end > 0 && cells[end - 1].text == 0 && cells[end - 1].width != 0) {
    --end;
  }
  for (int col = 0; col < end; ++col) {
    if (cells[col].width != 0) clusters.AppendText(cells[col].text, out);
  }
}

std::vector<StyleRun> Row::Styles(int cols) const {
  std::vector<StyleRun> runs;
  int end = std::min(used, cols);
  for (int col = 0; col < end; ++col) {
    Style style = StyleAt(col);
    if (style == Style()) continue;
    bool goes_on = !runs.empty() && runs.back().style == style &&
                   runs.back().col + runs.back().cols == col;
    if (goes_on) {
      ++runs.back().cols;
    } else {
      runs.push_back({col, 1, style});
    }
  }
  return runs;
}

}  // namespace glasstty

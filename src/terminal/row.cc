#include "terminal/row.h"

#include <algorithm>

namespace glasstty {

void Row::CutOff(int cols) {
  used = cols;
  Cell& last = cells[cols - 1];
  if (last.width == 2) last.text = 0, last.width = 1;
}

// After cells were moved about.
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

// Printed spaces count as something, a background does not.
bool Row::IsBlank() const {
  return std::all_of(cells.begin(), cells.begin() + used,
                     [](const Cell& cell) { return cell.text == 0; });
}

// What decides whether a line is worth showing.
bool Row::HasText() const {
  return std::any_of(cells.begin(), cells.begin() + used, [](const Cell& cell) {
    return cell.text != 0 && cell.text != ' ';
  });
}

bool Row::ConcealsSome(int cols) const {
  return std::any_of(cells.begin(), cells.begin() + std::min(used, cols),
                     [](const Cell& cell) {
                       return cell.text != 0 && cell.text != ' ' &&
                              ConcealsText(cell);
                     });
}

// Trailing spaces that were printed or coloured matter when the next row
// continues this one: they have columns in the scrollback, too. Readers of
// single rows trim them.
void Row::AppendText(int cols, const ClusterTable& clusters,
                     std::string* out) const {
  int end = std::min(used, cols);
  // The left half of a wide glyph whose right half is beyond the edge.
  bool is_cut = end > 0 && end < used && cells[end - 1].width == 2;
  if (is_cut) --end;
  while (end > 0 && cells[end - 1].text == 0 && cells[end - 1].width == 1 &&
         cells[end - 1].background == 0) {
    --end;
  }
  out->reserve(out->size() + static_cast<size_t>(end));
  const Cell* const last = cells.data() + end;
  for (const Cell* cell = cells.data(); cell < last; ++cell) {
    if (cell->text - 1 < 0x7F) {
      out->push_back(static_cast<char>(cell->text));
    } else if (cell->width != 0) {
      clusters.AppendText(cell->text, out);
    }
  }
}

// Default cells are in no run.
std::vector<StyleRun> Row::Styles(int cols) const {
  std::vector<StyleRun> runs;
  const Cell* const first = cells.data();
  const Cell* const last = first + std::min(used, cols);
  for (const Cell* cell = first; cell < last;) {
    const Cell* end = cell + 1;
    while (end < last && SameStyle(*end, *cell)) ++end;
    Style style = {cell->foreground, cell->background, cell->attributes};
    if (style != Style()) {
      runs.push_back({static_cast<int>(cell - first),
                      static_cast<int>(end - cell), style});
    }
    cell = end;
  }
  return runs;
}

}  // namespace glasstty

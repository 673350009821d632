#include "terminal/screen_lines.h"

#include <algorithm>

#include "terminal/row_cells.h"

namespace glasstty::terminal {
namespace {

bool BeginsWithWideGlyph(const SnapshotRow& row) {
  RowCells cells = CutIntoCells(row);
  return cells.size() > 1 && cells[1].empty();
}

// Returns the number of blanks between the text of `row` and the row that
// continues it. If a wide glyph did not fit, the last column was never written,
// and is not counted.
size_t BlanksBehind(const SnapshotRow& row, const SnapshotRow& next, int cols) {
  int blanks = cols - ColumnAt(row, row.text.size());
  if (blanks == 1 && BeginsWithWideGlyph(next)) return 0;
  return blanks > 0 ? static_cast<size_t>(blanks) : 0;
}

}  // namespace

bool ScreenLine::Has(int row_of_screen) const {
  auto wanted = static_cast<size_t>(row_of_screen);
  return wanted >= row && wanted < row + begins.size();
}

std::vector<ScreenLine> ScreenLines(const Snapshot& screen) {
  std::vector<ScreenLine> lines;
  for (size_t i = 0; i < screen.rows.size(); ++i) {
    const SnapshotRow& row = screen.rows[i];
    if (row.wrapped && i > 0) {
      size_t blanks = BlanksBehind(screen.rows[i - 1], row, screen.size.cols);
      lines.back().text.append(blanks, ' ');
    } else {
      lines.push_back({.row = i});
    }
    ScreenLine& line = lines.back();
    line.begins.push_back(line.text.size());
    line.text += row.text;
    line.changed |= row.changed;
  }
  return lines;
}

std::string LastRow(const Snapshot& screen) {
  auto row = std::find_if(screen.rows.rbegin(), screen.rows.rend(),
                          [](const auto& one) { return !one.text.empty(); });
  return row == screen.rows.rend() ? "" : row->text;
}

}  // namespace glasstty::terminal

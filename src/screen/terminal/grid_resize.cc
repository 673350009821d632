// Changes the size of a grid. There is no reflow: a row stays a row. Text
// beyond the edge of a narrower screen reappears if the screen is widened
// before its row is written to.
#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "terminal/grid.h"

namespace glasstty::terminal {

// The primary screen is resized even while it is not shown, according to its
// own cursor. Growing pulls back the rows that shrinking has pushed into the
// history.
Grid::Shifts Grid::Resize(Size size, Place cursor) {
  Shifts shifts;
  if (alternate()) {
    shifts.shown = ResizeRows(&buffers_[kAlternate], size.rows, cursor.row,
                              /*is_primary=*/false);
  } else {
    primary_cursor_ = cursor;
  }
  shifts.primary = ResizeRows(&buffers_[kPrimary], size.rows,
                              primary_cursor_.row, /*is_primary=*/true);
  if (!alternate()) shifts.shown = shifts.primary;
  size_ = size;
  last_put_ = kNowhere;
  primary_cursor_.row =
      std::clamp(primary_cursor_.row + shifts.primary, 0, size.rows - 1);
  primary_cursor_.col = std::min(primary_cursor_.col, size.cols - 1);
  for (Buffer& buffer : buffers_) {
    buffer.moved = shown_revision_ = ++counter_;
    for (Row& row : buffer.rows) {
      auto cols = static_cast<size_t>(size.cols);
      if (row.cells.size() < cols) row.cells.resize(cols);
    }
  }
  return shifts;
}

// Returns the number of rows by which the content moved down.
int Grid::ResizeRows(Buffer* buffer, int rows, int cursor_row,
                     bool is_primary) {
  std::vector<Row> from_top = buffer->Take();
  int more = rows - static_cast<int>(from_top.size());
  int down = more < 0 ? Shrink(&from_top, -more, cursor_row, is_primary)
                      : Grow(&from_top, more, is_primary);
  buffer->Fill(std::move(from_top));
  return down;
}

// Removes blank rows below the cursor first, then rows at the top, which become
// history. On the alternate screen, rows at the top are lost, because the
// program redraws the screen.
int Grid::Shrink(std::vector<Row>* rows, int count, int cursor_row,
                 bool is_primary) {
  while (count > 0 && static_cast<int>(rows->size()) - 1 > cursor_row &&
         rows->back().IsBlank()) {
    rows->pop_back();
    --count;
  }
  for (int i = 0; is_primary && i < count; ++i) {
    scrollback_.Push((*rows)[i], clusters_);
  }
  rows->erase(rows->begin(), rows->begin() + count);
  return -count;
}

// Rows of the history return at the top, and blank rows are added at the
// bottom. Rows that were cleared stay in the history (Scrollback::SetFloor).
int Grid::Grow(std::vector<Row>* rows, int count, bool is_primary) {
  std::vector<Row> pulled;
  Row row;
  while (is_primary && static_cast<int>(pulled.size()) < count &&
         scrollback_.Pop(&row, &clusters_)) {
    pulled.push_back(std::move(row));
    row = Row();
  }
  rows->insert(rows->begin(), std::make_move_iterator(pulled.rbegin()),
               std::make_move_iterator(pulled.rend()));
  int blank = count - static_cast<int>(pulled.size());
  Row fresh;
  fresh.line_revision = ++counter_;
  rows->insert(rows->end(), blank, fresh);
  return static_cast<int>(pulled.size());
}

void Grid::Buffer::Rotate(int top, int bottom, int count) {
  auto first = order.begin();
  std::rotate(first + top, first + top + count, first + bottom);
}

std::vector<Row> Grid::Buffer::Take() {
  std::vector<Row> from_top;
  from_top.reserve(rows.size());
  for (Row* row : order) from_top.push_back(std::move(*row));
  Fill({});
  return from_top;
}

void Grid::Buffer::Fill(std::vector<Row> from_top) {
  rows = std::move(from_top);
  slots.resize(2 * rows.size());
  order = std::span(slots).first(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) order[i] = &rows[i];
  changed.assign(rows.size(), 0);
}

}  // namespace glasstty::terminal

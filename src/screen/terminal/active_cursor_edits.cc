// Implements erasing, inserting, deleting and scrolling. Most of these have no
// effect outside of the margins. This, and whether they cancel a pending wrap,
// is as in xterm.
#include <algorithm>
#include <cstdlib>

#include "terminal/active_cursor.h"

namespace glasstty::terminal {

// --- erasing ---

// While a wrap is pending, sequences that erase from the cursor on do not erase
// the glyph at the edge, because the next glyph would not replace it. tmux and
// xterm.js do the same. xterm erases the glyph, so programs that end each
// colour with EL lose a letter. Other erasing cancels the wrap.
void ActiveCursor::EraseInLine(int what, bool selective) {
  if (what == 0 && pending_wrap()) return;
  EndWrap();
  int cols = grid_->size().cols;
  Rect row = {at_.row, at_.row + 1, 0, cols};
  if (what == 0) row.left = at_.col;
  if (what == 1) row.right = at_.col + 1;
  if (what <= 2) grid_->Erase(row, selective);
}

void ActiveCursor::EraseInDisplay(int what, bool selective) {
  auto [rows, cols] = grid_->size();
  if (what == 2) {
    EndWrap();
    return grid_->Erase({0, rows, 0, cols}, selective);
  }
  if (what == 1) grid_->Erase({0, at_.row, 0, cols}, selective);
  EraseInLine(what, selective);
  if (what == 0) grid_->Erase({at_.row + 1, rows, 0, cols}, selective);
}

void ActiveCursor::EraseCells(int count) {
  if (pending_wrap()) return;
  EndWrap();
  int end = std::min(at_.col + count, grid_->size().cols);
  grid_->Erase({at_.row, at_.row + 1, at_.col, end}, /*selective=*/false);
}

// --- cells ---

void ActiveCursor::ShiftCells(int row, int col, int right) {
  int room = right_ - col;
  right = std::clamp(right, -room, room);
  int by = std::abs(right);
  Rect kept = {row, row + 1, col, right_ - by};
  Rect moved = {row, row + 1, col + by, right_};
  Rect blank = moved;
  if (right > 0) {
    blank.left = col;
    blank.right = moved.left;
    if (kept.left < kept.right) grid_->MoveRect(moved, kept);
  } else {
    blank.left = kept.right;
    blank.right = right_;
    if (kept.left < kept.right) grid_->MoveRect(kept, moved);
  }
  grid_->Erase(blank, /*selective=*/false);
}

// Does not erase the vacated cells, because they are written next.
void ActiveCursor::MakeRoom(int cols) {
  int kept = right_ - at_.col - cols;
  if (kept <= 0 || !IsInColumns()) return;
  grid_->MoveRect({at_.row, at_.row + 1, at_.col + cols, right_},
                  {at_.row, at_.row + 1, at_.col, at_.col + kept});
}

void ActiveCursor::InsertCells(int count) {
  EndWrap();
  if (IsInColumns()) ShiftCells(at_.row, at_.col, count);
}

void ActiveCursor::DeleteCells(int count) {
  if (!IsInColumns()) return;
  EndWrap();
  ShiftCells(at_.row, at_.col, -count);
}

// No sequence that shifts whole columns cancels a pending wrap.
void ActiveCursor::ShiftColumns(int col, int right) {
  if (!IsInRows() || !IsInColumns()) return;
  for (int row = top_; row < bottom_; ++row) ShiftCells(row, col, right);
}

void ActiveCursor::InsertColumns(int count) { ShiftColumns(at_.col, count); }
void ActiveCursor::DeleteColumns(int count) { ShiftColumns(at_.col, -count); }
void ActiveCursor::ScrollLeft(int count) { ShiftColumns(left_, -count); }
void ActiveCursor::ScrollRight(int count) { ShiftColumns(left_, count); }

// --- lines ---

// Between side margins, only parts of rows move, so nothing becomes history.
void ActiveCursor::ScrollRegion(int top, int up, Grid::History history) {
  int rows = bottom_ - top;
  up = std::clamp(up, -rows, rows);
  if (IsFullWidth()) {
    if (up > 0) grid_->ScrollUp(top, bottom_, up, history);
    if (up < 0) grid_->ScrollDown(top, bottom_, -up);
    return;
  }
  int by = std::abs(up);
  Rect upper = {top, bottom_ - by, left_, right_};
  Rect lower = {top + by, bottom_, left_, right_};
  Rect blank = {top, bottom_, left_, right_};
  if (up > 0) {
    if (by < rows) grid_->MoveRect(upper, lower);
    blank.top = bottom_ - by;
  } else {
    if (by < rows) grid_->MoveRect(lower, upper);
    blank.bottom = top + by;
  }
  grid_->Erase(blank, /*selective=*/false);
}

// Rows that SU and DL push off the top have been printed, so they become
// history, as in xterm. On the alternate screen, programs edit their own screen
// with these sequences, so the rows are dropped.
Grid::History ActiveCursor::HistoryOfEdits() const {
  return grid_->alternate() ? Grid::History::kDrop : Grid::History::kKeep;
}

void ActiveCursor::InsertLines(int count) {
  if (!IsInRows() || !IsInColumns()) return;
  EndWrap();
  at_.col = left_;
  ScrollRegion(at_.row, -count, Grid::History::kDrop);
}

void ActiveCursor::DeleteLines(int count) {
  if (!IsInRows() || !IsInColumns()) return;
  EndWrap();
  at_.col = left_;
  ScrollRegion(at_.row, count, HistoryOfEdits());
}

// Neither ScrollUp nor ScrollDown cancels a pending wrap.
void ActiveCursor::ScrollUp(int count) {
  ScrollRegion(top_, count, HistoryOfEdits());
}

void ActiveCursor::ScrollDown(int count) {
  ScrollRegion(top_, -count, Grid::History::kDrop);
}

void ActiveCursor::FillScreen() {
  ForgetMargins();
  MoveTo({0, 0});
  Size size = grid_->size();
  Rect all = {0, size.rows, 0, size.cols};
  grid_->Erase(all, /*selective=*/false);
  grid_->Fill(all, 'E');
}

}  // namespace glasstty::terminal

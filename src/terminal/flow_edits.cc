// Erasing, inserting, deleting and scrolling: what the cursor's sequences do to
// cells. Outside of the margins most of them do nothing; which, and whether
// they end a pending wrap, is as in xterm.
#include <algorithm>
#include <cstdlib>

#include "terminal/flow.h"

namespace glasstty::terminal {

// --- erasing ---

// A glyph at the edge that a pending wrap stands behind is not erased by what
// erases from the cursor on: the next glyph would not go there. tmux and
// xterm.js keep it, too; xterm does not, and programs that end each colour with
// EL lose a letter there. What erases elsewhere ends the wrap.
void Flow::EraseInLine(int what, bool selective) {
  if (what == 0 && pending_wrap()) return;
  EndWrap();
  int cols = grid_->size().cols;
  Rect row = {at_.row, at_.row + 1, 0, cols};
  if (what == 0) row.left = at_.col;
  if (what == 1) row.right = at_.col + 1;
  if (what <= 2) grid_->Erase(row, selective);
}

void Flow::EraseInDisplay(int what, bool selective) {
  auto [rows, cols] = grid_->size();
  if (what == 2) {
    EndWrap();
    return grid_->Erase({0, rows, 0, cols}, selective);
  }
  if (what == 1) grid_->Erase({0, at_.row, 0, cols}, selective);
  EraseInLine(what, selective);
  if (what == 0) grid_->Erase({at_.row + 1, rows, 0, cols}, selective);
}

void Flow::EraseCells(int count) {
  if (pending_wrap()) return;
  EndWrap();
  int end = std::min(at_.col + count, grid_->size().cols);
  grid_->Erase({at_.row, at_.row + 1, at_.col, end}, /*selective=*/false);
}

// --- cells ---

// Right of `col`, as far as the right margin.
void Flow::ShiftCells(int row, int col, int right) {
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

// What is left behind is written to next.
void Flow::MakeRoom(int cols) {
  int kept = right_ - at_.col - cols;
  if (kept <= 0 || !IsInColumns()) return;
  grid_->MoveRect({at_.row, at_.row + 1, at_.col + cols, right_},
                  {at_.row, at_.row + 1, at_.col, at_.col + kept});
}

void Flow::InsertCells(int count) {
  EndWrap();
  if (IsInColumns()) ShiftCells(at_.row, at_.col, count);
}

void Flow::DeleteCells(int count) {
  if (!IsInColumns()) return;
  EndWrap();
  ShiftCells(at_.row, at_.col, -count);
}

// None of the sequences for columns ends a pending wrap.
void Flow::ShiftColumns(int col, int right) {
  if (!IsInRows() || !IsInColumns()) return;
  for (int row = top_; row < bottom_; ++row) ShiftCells(row, col, right);
}

void Flow::InsertColumns(int count) { ShiftColumns(at_.col, count); }
void Flow::DeleteColumns(int count) { ShiftColumns(at_.col, -count); }
void Flow::ScrollLeft(int count) { ShiftColumns(left_, -count); }
void Flow::ScrollRight(int count) { ShiftColumns(left_, count); }

// --- lines ---

// Between side margins cells move, and no line of text is whole: nothing
// becomes history.
void Flow::ScrollRegion(int top, int up, Grid::History history) {
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

void Flow::InsertLines(int count) {
  if (!IsInRows() || !IsInColumns()) return;
  EndWrap();
  at_.col = left_;
  ScrollRegion(at_.row, -count, Grid::History::kDrop);
}

void Flow::DeleteLines(int count) {
  if (!IsInRows() || !IsInColumns()) return;
  EndWrap();
  at_.col = left_;
  ScrollRegion(at_.row, count, Grid::History::kDrop);
}

// Neither ends a pending wrap.
void Flow::ScrollUp(int count) {
  ScrollRegion(top_, count, Grid::History::kDrop);
}

void Flow::ScrollDown(int count) {
  ScrollRegion(top_, -count, Grid::History::kDrop);
}

void Flow::FillScreen() {
  ForgetMargins();
  MoveTo({0, 0});
  Size size = grid_->size();
  Rect all = {0, size.rows, 0, size.cols};
  grid_->Erase(all, /*selective=*/false);
  grid_->Fill(all, 'E');
}

}  // namespace glasstty::terminal

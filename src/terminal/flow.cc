// Text, motion, tabs and margins. xterm's rules, which are not always those of
// the terminals that it is named after: what ends a pending wrap, which margin
// holds the cursor, and from where.
#include "terminal/flow.h"

#include <algorithm>
#include <utility>

namespace glasstty::terminal {

Flow::Flow(Size size, Grid* grid) : grid_(grid) {
  ForgetMargins();
  WidenTabStops(size.cols);
}

// In pieces of a row, in insert mode one by one. A wide glyph that does not fit
// wraps without a wrap being pending; without autowrap it replaces a wide one
// directly before it, or else is not shown.
void Flow::AddGlyphs(std::span<const Glyph> glyphs) {
  while (!glyphs.empty()) {
    BeforeGlyph();
    int room = Edge() - at_.col;
    size_t count = 0;
    int cols = 0;
    size_t most = insert_ ? 1 : glyphs.size();
    while (count < most && cols + glyphs[count].width <= room) {
      cols += glyphs[count++].width;
    }
    if (count == 0) {
      bool follows = std::exchange(takes_marks_, true);
      if (autowrap_ && at_.col > left_) {
        Wrap();
      } else if (!autowrap_ && follows && grid_->IsBehindWide(at_)) {
        at_.col = grid_->last_put().col - 1;
      } else {
        glyphs = glyphs.subspan(1);
      }
      continue;
    }
    if (insert_) MakeRoom(cols);
    grid_->Put(at_, cols, glyphs.first(count));
    Advance(at_.col + cols);
    glyphs = glyphs.subspan(count);
  }
}

// In pieces of a row, so that each is one copy into the cells.
void Flow::AddAscii(std::string_view text) {
  while (!text.empty()) {
    BeforeGlyph();
    auto room = static_cast<size_t>(insert_ ? 1 : Edge() - at_.col);
    std::string_view part = text.substr(0, room);
    auto cols = static_cast<int>(part.size());
    if (insert_) MakeRoom(cols);
    grid_->PutAscii(at_, part);
    Advance(at_.col + cols);
    text.remove_prefix(part.size());
  }
}

inline void Flow::Advance(int end) {
  wraps_ = end == Edge();
  at_.col = wraps_ ? end - 1 : end;
  takes_marks_ = true;
}

// What has nothing to join takes a column, as in xterm, on a blank of its own:
// a reader could not tell it from a mark on the glyph before.
void Flow::AddMark(char32_t mark) {
  if (!takes_marks_) {
    if (grid_->IsUntouched(at_)) {
      AddAscii(" ");
    } else {
      grid_->MarkAt(at_);
    }
  }
  grid_->AppendMark(mark);
}

// Outside of the side margins nothing scrolls.
bool Flow::ScrollAtMargin() {
  if (at_.row != bottom_ - 1 || !IsInColumns()) return false;
  ScrollRegion(top_, 1, Grid::History::kKeep);
  return true;
}

// The row is marked so that it and the one above are read as one line. Between
// side margins other text may stand beside it.
void Flow::Wrap() {
  bool is_moved = MoveDown();
  at_.col = left_;
  if (is_moved && IsFullWidth()) grid_->SetWrapped(at_.row, true);
}

// A tab that cannot move leaves a wrap pending. Beside side margins it may go
// where no line of text would.
void Flow::Tab() {
  Place from = at_;
  bool was_pending = pending_wrap();
  NextStop();
  if (at_.col >= from.col) grid_->PutTab(from, at_.col, was_pending);
}

void Flow::NextLine() {
  Index();
  Return();
}

void Flow::ReverseIndex() {
  EndWrap();
  if (at_.row == top_ && IsInColumns()) {
    ScrollRegion(top_, -1, Grid::History::kDrop);
  } else if (at_.row != top_ && at_.row > 0) {
    --at_.row;
  }
}

// At a side margin the columns move instead of the cursor.
void Flow::BackIndex() {
  if (at_.col == left_) return ShiftColumns(left_, 1);
  Back(1);
}

void Flow::ForwardIndex() {
  if (at_.col == right_ - 1) return ShiftColumns(left_, -1);
  Forward(1);
}

// Up to the margin that lies on the way; from behind one there is none on the
// way to the edge.
void Flow::Up(int count) {
  EndWrap();
  at_.row = std::max(at_.row - count, at_.row >= top_ ? top_ : 0);
}

void Flow::Down(int count) {
  EndWrap();
  int last = (at_.row < bottom_ ? bottom_ : grid_->size().rows) - 1;
  at_.row = std::min(at_.row + count, last);
}

void Flow::Forward(int count) {
  EndWrap();
  at_.col = std::min(at_.col + count, Edge() - 1);
}

void Flow::Back(int count) {
  bool reverses = reverse_wrap_ && autowrap_;
  // The first step only ends the wrap that is pending.
  if (reverses && wraps_) --count;
  EndWrap();
  int before = at_.col;
  int left = before < left_ ? 0 : left_;
  at_.col -= count;
  if (at_.col >= left) return;
  if (reverses) return ReverseWrap(before);
  at_.col = left;
}

// The column is left of the margin. As xterm counts: rows are as wide as the
// margins are apart, and above the first one is the last one, of the region
// when the cursor began at its corner and of the screen otherwise.
void Flow::ReverseWrap(int before) {
  int left = before < left_ ? 0 : left_;
  int in_row = right_ - left;
  int offset = in_row * at_.row + at_.col - left;
  bool from_corner =
      before == left && before >= left_ && before < right_ && at_.row == top_;
  if (from_corner) {
    offset = bottom_ * in_row - 1;
  } else if (offset < 0) {
    int all = in_row * grid_->size().rows;
    offset += (-offset / all + 1) * all;
  }
  Size size = grid_->size();
  at_.row = std::min(offset / in_row, size.rows - 1);
  at_.col = std::min(offset % in_row + left, size.cols - 1);
}

void Flow::NextLines(int count) {
  Down(count);
  Return();
}

void Flow::PreviousLines(int count) {
  Up(count);
  Return();
}

Place Flow::FromOrigin(Place place) const {
  if (!origin_) return place;
  return {place.row + top_, place.col + left_};
}

// Origin mode holds the cursor at the far margins, and at the near ones only
// because nobody can count below them.
void Flow::GoTo(Place to) {
  EndWrap();
  Size size = grid_->size();
  int last_row = origin_ ? bottom_ - 1 : size.rows - 1;
  int last_col = origin_ ? right_ - 1 : size.cols - 1;
  at_ = {std::clamp(to.row, 0, last_row), std::clamp(to.col, 0, last_col)};
}

void Flow::MoveTo(Place to) { GoTo(FromOrigin(to)); }

// The coordinate that stays counts from the margin, too, and never below it.
void Flow::GoToColumn(int col) {
  int row = origin_ ? std::max(at_.row, top_) : at_.row;
  GoTo({row, FromOrigin({0, col - 1}).col});
}

void Flow::GoToRow(int row) {
  int col = origin_ ? std::max(at_.col, left_) : at_.col;
  GoTo({FromOrigin({row - 1, 0}).row, col});
}

void Flow::ForwardColumns(int count) {
  int row = origin_ ? std::max(at_.row, top_) : at_.row;
  int col = origin_ ? std::max(at_.col, left_) : at_.col;
  GoTo({row, col + count});
}

void Flow::DownRows(int count) {
  int row = origin_ ? std::max(at_.row, top_) : at_.row;
  int col = origin_ ? std::max(at_.col, left_) : at_.col;
  GoTo({row + count, col});
}

void Flow::Restore(const Saved& saved) {
  GoTo(saved.place);
  wraps_ = saved.wraps;
}

// --- tabs: none of them ends a pending wrap ---

// The right margin stops the cursor also when that is behind it.
bool Flow::NextStop() {
  int from = at_.col;
  int cols = grid_->size().cols;
  int to = from + 1;
  while (to < cols && !tab_stops_[to]) ++to;
  at_.col = std::min(to, right_ - 1);
  return at_.col > from;
}

// The left margin stops it in origin mode only.
bool Flow::PreviousStop() {
  int from = at_.col;
  int to = std::max(from - 1, 0);
  while (to > 0 && !tab_stops_[to]) --to;
  at_.col = origin_ ? std::max(to, left_) : to;
  return at_.col < from;
}

void Flow::TabForward(int count) {
  while (count-- > 0 && NextStop()) continue;
}

void Flow::TabBack(int count) {
  while (count-- > 0 && PreviousStop()) continue;
}

void Flow::SetTabStop() { tab_stops_[at_.col] = true; }

void Flow::ClearTabStops(int what) {
  if (what == 0) tab_stops_[at_.col] = false;
  if (what == 3) tab_stops_.assign(tab_stops_.size(), false);
}

// A new column has a stop as it had at the beginning; one that comes back after
// the screen was narrower, too.
void Flow::WidenTabStops(int cols) {
  constexpr size_t kEvery = 8;
  size_t first = tab_stops_.size();
  tab_stops_.resize(cols);
  for (size_t col = first; col < tab_stops_.size(); ++col) {
    tab_stops_[col] = col % kEvery == 0;
  }
}

// --- margins, modes, sizes ---

void Flow::SetMargins(int top, int bottom) {
  top_ = top;
  bottom_ = bottom;
  MoveTo({0, 0});
}

void Flow::SetSideMargins(int left, int right) {
  left_ = left;
  right_ = right;
  MoveTo({0, 0});
}

void Flow::ForgetMargins() {
  top_ = left_ = 0;
  bottom_ = grid_->size().rows;
  right_ = grid_->size().cols;
}

void Flow::SetModes(const Modes& modes) {
  autowrap_ = modes.autowrap;
  newline_ = modes.newline;
  insert_ = modes.insert;
  origin_ = modes.origin;
  reverse_wrap_ = modes.reverse_wrap;
  if (modes.side_margins) return;
  left_ = 0;
  right_ = grid_->size().cols;
}

void Flow::Reset() {
  ForgetMargins();
  tab_stops_.clear();
  WidenTabStops(grid_->size().cols);
  EndWrap();
  at_ = {};
}

void Flow::Resize(Size size, Place to) {
  WidenTabStops(size.cols);
  ForgetMargins();
  EndWrap();
  at_ = to;
}

}  // namespace glasstty::terminal

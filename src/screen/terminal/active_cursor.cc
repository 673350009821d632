// Implements text, motion, tabs and margins. The rules (what cancels a pending
// wrap, which margin stops the cursor, and from where) are those of xterm,
// which are not always those of DEC's terminals.
#include "terminal/active_cursor.h"

#include <algorithm>
#include <utility>

#include "terminal/widths.h"

namespace glasstty::terminal {

ActiveCursor::ActiveCursor(Grid* grid) : grid_(grid) {
  ForgetMargins();
  FitTabStops(&tab_stops_);
}

// Puts glyphs in runs within a row. A wide glyph that does not fit wraps even
// if no wrap is pending; without autowrap it replaces a wide glyph directly
// before it, or is not shown.
void ActiveCursor::AddGlyphs(std::span<const Glyph> glyphs) {
  while (!glyphs.empty()) {
    BeforeGlyph();
    int room = Edge() - at_.col;
    size_t count = 0;
    int cols = 0;
    // In insert mode, a run that begins before the left margin may end behind
    // it, where glyphs move others.
    size_t most = insert_ && !IsInColumns() ? 1 : glyphs.size();
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

// Puts text in runs within a row, each of which is copied into the cells at
// once.
void ActiveCursor::AddAscii(std::string_view text) {
  while (!text.empty()) {
    BeforeGlyph();
    auto room = static_cast<size_t>(insert_ ? 1 : Edge() - at_.col);
    // substr and remove_prefix check their arguments, and are not inlined here.
    std::string_view part(text.data(), std::min(room, text.size()));
    auto cols = static_cast<int>(part.size());
    if (insert_) MakeRoom(cols);
    grid_->PutAscii(at_, part);
    Advance(at_.col + cols);
    text = {text.data() + part.size(), text.size() - part.size()};
  }
}

inline void ActiveCursor::Advance(int end) {
  wraps_ = end == Edge();
  at_.col = wraps_ ? end - 1 : end;
  takes_marks_ = true;
}

// In an untouched cell, a mark takes a column, as in xterm: it is put on a
// space of its own, so that readers can distinguish it from a mark on the
// previous glyph.
void ActiveCursor::AddMark(char32_t mark) {
  if (!takes_marks_) {
    if (grid_->IsUntouched(at_)) {
      AddAscii(" ");
    } else {
      grid_->MarkAt(at_);
    }
  }
  grid_->AppendMark(mark);
}

// Checks the first code point, because an emoji may already have its selector
// when the next code point joins it.
bool ActiveCursor::IsLastGlyph(uint8_t trait) const {
  return (TraitsOf(grid_->clusters().First(grid_->LastCell().text)) & trait) !=
         0;
}

bool ActiveCursor::Join(char32_t c) {
  if (!IsBehindLast()) return false;
  const ClusterTable& clusters = grid_->clusters();
  uint32_t text = grid_->LastCell().text;
  uint8_t traits = TraitsOf(c);
  bool is_one = false;
  if ((traits & kSkinTone) != 0) is_one = IsLastGlyph(kPictograph);
  if ((traits & kPictograph) != 0) {
    is_one = clusters.Last(text) == kJoiner && IsLastGlyph(kPictograph);
  }
  if ((traits & kFlagHalf) != 0) {
    is_one = clusters.CodePoints(text) == 1 && IsLastGlyph(kFlagHalf);
  }
  if ((traits & kSpacingMark) != 0) {
    is_one = text > ' ' && WidthOf(clusters.First(text)) > 0;
  }
  if (!is_one) return false;
  grid_->JoinLast(c);
  if ((traits & kSpacingMark) == 0) Widen();
  return true;
}

void ActiveCursor::Select(char32_t selector) {
  if (!IsBehindLast()) return;
  Cell cell = grid_->LastCell();
  bool has_both_forms = grid_->clusters().CodePoints(cell.text) == 2 &&
                        IsLastGlyph(kTakesSelector);
  if (!has_both_forms) return;
  if (selector == kEmojiSelector) return Widen();
  if (cell.width != 2) return;
  grid_->NarrowLast();
  at_.col = grid_->last_put().col + 1;
  wraps_ = false;
}

// If the glyph does not fit, it moves to the next row, as a wide glyph would
// have wrapped.
void ActiveCursor::Widen() {
  Cell cell = grid_->LastCell();
  if (cell.width == 2) return;
  if (!wraps_) {
    if (insert_) MakeRoom(1);
    grid_->WidenLast();
    return Advance(at_.col + 1);
  }
  if (!autowrap_ || at_.col == left_) return;
  grid_->TakeLast();
  wraps_ = false;
  Wrap();
  if (insert_) MakeRoom(2);
  // Only the row above knows the number of the tabs after the glyph.
  cell.flags &= kProtected;
  grid_->PutWide(at_, cell);
  Advance(at_.col + 2);
}

// Nothing scrolls outside of the side margins.
bool ActiveCursor::ScrollAtMargin() {
  if (at_.row != bottom_ - 1 || !IsInColumns()) return false;
  ScrollRegion(top_, 1, Grid::History::kKeep);
  return true;
}

// Marks the row as wrapped, so that it and the row above are read as one line.
// With side margins, other text may be beside it, so it is not marked.
void ActiveCursor::Wrap() {
  bool is_moved = MoveDown();
  at_.col = left_;
  if (is_moved && IsFullWidth()) grid_->SetWrapped(at_.row, true);
}

// A tab that cannot move the cursor keeps a wrap pending. With side margins, a
// tab may move the cursor backwards, and is not recorded then.
void ActiveCursor::Tab() {
  Place from = at_;
  bool was_pending = pending_wrap();
  NextStop();
  if (at_.col >= from.col) grid_->PutTab(from, at_.col, was_pending);
}

void ActiveCursor::NextLine() {
  Index();
  Return();
}

void ActiveCursor::ReverseIndex() {
  EndWrap();
  if (at_.row == top_ && IsInColumns()) {
    ScrollRegion(top_, -1, Grid::History::kDrop);
  } else if (at_.row != top_ && at_.row > 0) {
    --at_.row;
  }
}

// At the side margin, shifts the columns instead of moving the cursor.
void ActiveCursor::BackIndex() {
  if (at_.col == left_) return ShiftColumns(left_, 1);
  Back(1);
}

void ActiveCursor::ForwardIndex() {
  if (at_.col == right_ - 1) return ShiftColumns(left_, -1);
  Forward(1);
}

// Stops at the margin if the cursor starts below it, or else at the edge.
void ActiveCursor::Up(int count) {
  EndWrap();
  int row = std::max(at_.row - count, at_.row >= top_ ? top_ : 0);
  is_addressed_ &= at_.row == row;
  at_.row = row;
}

void ActiveCursor::Down(int count) {
  EndWrap();
  int last = (at_.row < bottom_ ? bottom_ : grid_->size().rows) - 1;
  at_.row = std::min(at_.row + count, last);
}

void ActiveCursor::Forward(int count) {
  EndWrap();
  at_.col = std::min(at_.col + count, Edge() - 1);
}

void ActiveCursor::Back(int count) {
  bool reverses = reverse_wrap_ && autowrap_;
  // The first step only cancels the pending wrap.
  if (reverses && wraps_) --count;
  EndWrap();
  int before = at_.col;
  int left = before < left_ ? 0 : left_;
  is_addressed_ &= before == 0;
  at_.col -= count;
  if (at_.col >= left) return;
  if (reverses) return ReverseWrap(before);
  at_.col = left;
}

// Moves a cursor that is left of the margin to the end of a row above. Counts
// as xterm does: rows are as wide as the distance between the margins. Before
// the first row comes the last row of the region, if the cursor began at the
// region's corner, or else the last row of the screen.
void ActiveCursor::ReverseWrap(int before) {
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

void ActiveCursor::NextLines(int count) {
  Down(count);
  Return();
}

void ActiveCursor::PreviousLines(int count) {
  Up(count);
  Return();
}

Place ActiveCursor::FromOrigin(Place place) const {
  if (!origin_) return place;
  return {place.row + top_, place.col + left_};
}

// In origin mode, the bottom and right margins stop the cursor. The other two
// need no check, because the positions in sequences count from them.
void ActiveCursor::GoTo(Place to) {
  EndWrap();
  Size size = grid_->size();
  int last_row = origin_ ? bottom_ - 1 : size.rows - 1;
  int last_col = origin_ ? right_ - 1 : size.cols - 1;
  at_ = {std::clamp(to.row, 0, last_row), std::clamp(to.col, 0, last_col)};
}

void ActiveCursor::MoveTo(Place to) {
  GoTo(FromOrigin(to));
  is_addressed_ = true;
}

// In origin mode, the row is also at least the top margin.
void ActiveCursor::GoToColumn(int col) {
  int row = origin_ ? std::max(at_.row, top_) : at_.row;
  int before = at_.col;
  GoTo({row, FromOrigin({0, col - 1}).col});
  is_addressed_ &= at_.col == before;
}

void ActiveCursor::GoToRow(int row) {
  int col = origin_ ? std::max(at_.col, left_) : at_.col;
  GoTo({FromOrigin({row - 1, 0}).row, col});
}

void ActiveCursor::ForwardColumns(int count) {
  int row = origin_ ? std::max(at_.row, top_) : at_.row;
  int col = origin_ ? std::max(at_.col, left_) : at_.col;
  GoTo({row, col + count});
}

void ActiveCursor::DownRows(int count) {
  int row = origin_ ? std::max(at_.row, top_) : at_.row;
  int col = origin_ ? std::max(at_.col, left_) : at_.col;
  GoTo({row + count, col});
}

void ActiveCursor::Restore(const Saved& saved) {
  GoTo(saved.place);
  is_addressed_ = true;
  wraps_ = saved.wraps;
}

// Without rows, the cursor does not move.
void ActiveCursor::PutRows(std::vector<Row> rows) {
  if (rows.empty()) return;
  if (at_.col > 0) NextLine();
  for (Row& row : rows) {
    bool is_wrapped = row.wrapped;
    grid_->PutRow(at_.row, std::move(row));
    if (is_wrapped) grid_->SetWrapped(at_.row, true);
    NextLine();
  }
}

// --- tabs: none of them cancels a pending wrap ---

// The right margin stops the cursor even if it starts beyond the margin.
bool ActiveCursor::NextStop() {
  int from = at_.col;
  int cols = grid_->size().cols;
  int to = from + 1;
  while (to < cols && !tab_stops_[to]) ++to;
  at_.col = std::min(to, right_ - 1);
  return at_.col > from;
}

// The left margin stops the cursor only in origin mode.
bool ActiveCursor::PreviousStop() {
  int from = at_.col;
  int to = std::max(from - 1, 0);
  while (to > 0 && !tab_stops_[to]) --to;
  at_.col = origin_ ? std::max(to, left_) : to;
  return at_.col < from;
}

void ActiveCursor::TabForward(int count) {
  while (count-- > 0 && NextStop()) continue;
}

void ActiveCursor::TabBack(int count) {
  while (count-- > 0 && PreviousStop()) continue;
}

void ActiveCursor::SetTabStop() { tab_stops_[at_.col] = true; }

void ActiveCursor::ClearTabStops(int what) {
  if (what == 0) tab_stops_[at_.col] = false;
  if (what == 3) tab_stops_.assign(tab_stops_.size(), false);
}

// New columns get the initial stops, even columns that return after the screen
// was narrower.
void ActiveCursor::FitTabStops(std::vector<bool>* stops) const {
  constexpr size_t kEvery = 8;
  size_t first = stops->size();
  stops->resize(grid_->size().cols);
  for (size_t col = first; col < stops->size(); ++col) {
    (*stops)[col] = col % kEvery == 0;
  }
}

// --- margins, modes, sizes ---

void ActiveCursor::SetMargins(int top, int bottom) {
  top_ = top;
  bottom_ = bottom;
  MoveTo({0, 0});
}

void ActiveCursor::SetSideMargins(int left, int right) {
  left_ = left;
  right_ = right;
  MoveTo({0, 0});
}

void ActiveCursor::ForgetMargins() {
  top_ = left_ = 0;
  bottom_ = grid_->size().rows;
  right_ = grid_->size().cols;
}

void ActiveCursor::SetModes(const Modes& modes) {
  autowrap_ = modes.autowrap;
  newline_ = modes.newline;
  insert_ = modes.insert;
  origin_ = modes.origin;
  reverse_wrap_ = modes.reverse_wrap;
  if (modes.side_margins) return;
  left_ = 0;
  right_ = grid_->size().cols;
}

void ActiveCursor::Reset() {
  ForgetMargins();
  tab_stops_.clear();
  FitTabStops(&tab_stops_);
  EndWrap();
  at_ = {};
  is_addressed_ = true;
}

void ActiveCursor::Resize(Place to) {
  FitTabStops(&tab_stops_);
  ForgetMargins();
  EndWrap();
  at_ = to;
}

}  // namespace glasstty::terminal

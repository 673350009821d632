// Rows are addressed from the top of the shown screen, a place; At knows which
// row is there. Three stamps follow each change: the place's (it looks
// different), the line's (the text of a line is different or has another
// number) and, when the whole screen moves, the buffer's, so that a line feed
// need not visit every place.
//
// Lines: a row begins a new line unless it is wrapped. Whatever breaks or makes
// such a joint (SetWrapped) gives the line above another text and the lines
// below other numbers, and stamps them.
#include "terminal/grid.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace glasstty::terminal {

// The alternate screen is allocated when it is entered.
Grid::Grid(Size size, const Scrollback::Options& scrollback)
    : scrollback_(scrollback), size_(size) {
  Allocate(&buffers_[kPrimary]);
}

// Fresh rows count as changed now: a reader that looked before sees them.
void Grid::Allocate(Buffer* buffer) {
  Row fresh;
  fresh.cells.resize(size_.cols);
  fresh.line_revision = counter_;
  buffer->Fill(std::vector<Row>(size_.rows, fresh));
  buffer->moved = counter_;
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

// Scrolling the whole screen changes what every place shows.
uint64_t Grid::RowRevision(int row) const {
  const Buffer& buffer = *shown_;
  return std::max(buffer.changed[row], buffer.moved);
}

size_t Grid::MemoryBytes() const {
  size_t bytes = clusters_.MemoryBytes() + scrollback_.MemoryBytes();
  for (const Buffer& buffer : buffers_) {
    for (const Row& row : buffer.rows) {
      bytes += sizeof(Row) + row.cells.capacity() * sizeof(Cell);
    }
  }
  return bytes;
}

// Counted from the newest line of the scrollback downwards.
int64_t Grid::LineAt(int row) const {
  int64_t line = scrollback_.next_line();
  // Row 0 is wrapped only when its beginning is in the scrollback.
  if (primary_row(0).wrapped) --line;
  for (int i = 1; i <= row; ++i) {
    if (!primary_row(i).wrapped) ++line;
  }
  return line;
}

int64_t Grid::TextEndLine() const {
  for (int row = size_.rows - 1; row >= 0; --row) {
    if (primary_row(row).HasText()) return LineAt(row) + 1;
  }
  return scrollback_.next_line();
}

// The beginning of a line may be in the scrollback.
size_t Grid::LineBytesBefore(Place at) const {
  std::string text;
  int first = at.row;
  while (first > 0 && primary_row(first).wrapped) --first;
  for (int row = first; row < at.row; ++row) {
    primary_row(row).AppendLine(clusters_, &text);
  }
  primary_row(at.row).AppendPrinted(at.col, clusters_, &text);
  size_t above =
      primary_row(first).wrapped ? scrollback_.newest_line_bytes() : 0;
  return above + text.size();
}

// The cell that every glyph starts as.
void Grid::SetPen(const Style& style, bool is_protected) {
  Cell pen;
  pen.foreground = style.foreground;
  pen.background = style.background;
  pen.attributes = style.attributes;
  pen.flags = is_protected ? kProtected : 0;
  StoreCell(pen, &pen_);
}

// Places [top, bottom) show something else.
inline void Grid::TouchPlaces(int top, int bottom) {
  shown_revision_ = ++counter_;
  std::vector<uint64_t>& changed = shown_->changed;
  std::fill(changed.begin() + top, changed.begin() + bottom, counter_);
}

// The row in this place is about to look different.
inline void Grid::TouchRow(int place, Row* row) {
  shown_revision_ = shown_->changed[place] = ++counter_;
  TouchLine(row);
}

// Its line is.
inline void Grid::TouchLine(Row* row) {
  if (alternate()) return;
  row->line_revision = ++counter_;
  lines_revision_ = counter_;
}

// Writing ends the afterlife of what a narrower screen had hidden.
inline Row& Grid::Edit(int row) {
  Row& edited = At(row);
  edited.Cut(size_.cols);
  edited.plain = false;
  edited.returns = 0;
  TouchRow(row, &edited);
  return edited;
}

// Erasing copies the background only.
Cell Grid::Blank() const {
  Cell cell;
  cell.background = pen_.background;
  return cell;
}

// Nothing is written unless the pen has a background (BCE, as xterm).
void Grid::ClearRow(int row, bool is_new) {
  Row& cleared = At(row);
  cleared.used = 0;
  cleared.untouched = is_new;
  cleared.wrapped = false;
  cleared.has_tabs = false;
  cleared.has_lone_marks = false;
  cleared.returns = 0;
  cleared.plain = pen_.background == kDefaultColor;
  TouchRow(row, &cleared);
  if (cleared.plain) return;
  FillCells(Blank(), cleared.cells.data(), cleared.cells.data() + size_.cols);
  cleared.used = size_.cols;
}

inline void Grid::CutWideAt(Row* row, int col) {
  if (col <= 0 || col >= row->used || row->cells[col].width != 0) return;
  for (int half = col - 1; half <= col; ++half) {
    row->cells[half].text = 0;
    row->cells[half].width = 1;
  }
}

// Half a wide glyph cannot be shown: what is cut at either end becomes blank.
void Grid::Put(Place at, int cols, std::span<const Glyph> glyphs) {
  int end = at.col + cols;
  Row& row = Edit(at.row);
  row.Reach(at.col);
  CutWideAt(&row, at.col);
  CutWideAt(&row, end);
  Cell* cell = &row.cells[at.col];
  Cell next = pen_;
  for (const Glyph& glyph : glyphs) {
    next.text = glyph.code_point;
    next.width = static_cast<uint8_t>(glyph.width);
    StoreCell(next, cell++);
    if (glyph.width == 1) continue;
    next.text = 0;
    next.width = 0;
    StoreCell(next, cell++);
  }
  row.used = std::max(row.used, end);
  last_put_ = {at.row, end - 1};
}

void Grid::PutAscii(Place at, std::string_view text) {
  int end = at.col + static_cast<int>(text.size());
  const Row& before = At(at.row);
  bool plain = before.plain && before.used >= at.col && SameStyle(pen_, Cell());
  Row& row = Edit(at.row);
  row.plain = plain;
  row.Reach(at.col);
  CutWideAt(&row, at.col);
  CutWideAt(&row, end);
  Cell* cell = &row.cells[at.col];
  Cell next = pen_;
  for (char c : text) {
    next.text = static_cast<uint8_t>(c);
    StoreCell(next, cell++);
  }
  row.used = std::max(row.used, end);
  last_put_ = {at.row, end - 1};
}

// Of a wide glyph the left half has the text. A blank that gets a mark becomes
// a space.
void Grid::AppendMark(char32_t mark) {
  if (last_put_ == kNowhere) return;
  Row& row = Edit(last_put_.row);
  row.Reach(last_put_.col + 1);
  Cell* cell = &row.cells[last_put_.col];
  if (cell->width == 0) --cell;
  // With text in it a tab is none.
  if (cell->text == 0) cell->flags &= ~kTabFlags;
  cell->text = clusters_.WithMark(cell->text, mark);
  if (clusters_.needs_sweep()) SweepClusters();
}

bool Grid::IsBehindWide(Place at) const {
  int behind = at.col - last_put_.col;
  return last_put_.row == at.row && (behind == 0 || behind == 1) &&
         row(at.row).cells[last_put_.col].width == 0;
}

bool Grid::IsUntouched(Place at) const {
  return row(at.row).untouched && at.col >= row(at.row).used;
}

void Grid::Fill(const Rect& rect, char32_t c) {
  bool keeps_colors =
      pen_.foreground == kDefaultColor && pen_.background == kDefaultColor;
  for (int row = rect.top; row < rect.bottom; ++row) {
    Row& filled = Edit(row);
    filled.Reach(rect.right);
    CutWideAt(&filled, rect.left);
    CutWideAt(&filled, rect.right);
    for (int col = rect.left; col < rect.right; ++col) {
      Cell* cell = &filled.cells[col];
      Cell next = pen_;
      next.text = c;
      if (keeps_colors) {
        next.foreground = cell->foreground;
        next.background = cell->background;
      }
      *cell = next;
    }
  }
}

void Grid::Wipe(const Rect& rect, bool spares_protected) {
  for (int row = rect.top; row < rect.bottom; ++row) {
    Row& wiped = Edit(row);
    int end = std::min(rect.right, wiped.used);
    for (int col = rect.left; col < end; ++col) {
      Cell* cell = &wiped.cells[col];
      if (spares_protected && (cell->flags & kProtected) != 0) continue;
      cell->text = 0;
      cell->width = 1;
      cell->flags &= kProtected;
    }
    wiped.Repair();
  }
}

// Only over cells that are blank: elsewhere a tab is mere motion. The same tab
// again changes nothing.
void Grid::PutTab(Place from, int to, bool is_behind) {
  if (alternate()) return;
  Row& row = At(from.row);
  if (is_behind) return PutStuckTab(&row, size_.cols - 1, 1);
  if (to == from.col) return PutStuckTab(&row, from.col - 1, 0);
  for (int col = from.col; col < std::min(row.used, to); ++col) {
    const Cell& cell = row.cells[col];
    if (cell.text != 0 || cell.width != 1) return;
  }
  if (row.used >= to && row.TabColumns(from.col, to) == to - from.col) return;
  row.Reach(to);
  row.plain = false;
  row.has_tabs = true;
  for (int col = from.col; col < to; ++col) {
    uint8_t* flags = &row.cells[col].flags;
    *flags = (*flags & kProtected) | (col == from.col ? kTabStart : kTabInside);
  }
  row.cells[to - 1].flags |= kTabEnd;
  TouchLine(&row);
}

// Behind what was printed; elsewhere nothing is there to be behind of.
void Grid::PutStuckTab(Row* row, int behind, size_t which) {
  if (behind < 0 || row->PrintedEnd(size_.cols) != behind + 1) return;
  uint8_t flag = which == 0 ? kTabsBeforeLast : kTabsBehindLast;
  uint8_t* flags = &row->cells[behind].flags;
  uint16_t* count = &row->stuck_tabs[which];
  if ((*flags & flag) == 0) {
    // Those at the edge of a narrower screen are counted no longer.
    for (Cell& cell : row->cells) cell.flags &= ~flag;
    *count = 0;
  }
  *flags |= flag;
  row->plain = false;
  row->has_tabs = true;
  if (*count < Row::kMostStuckTabs) ++*count;
  TouchLine(row);
}

// A row that goes on in the next one does not end a line.
void Grid::SetReturns(int row, int count) {
  bool goes_on = row + 1 < size_.rows && At(row + 1).wrapped;
  if (alternate() || goes_on) return;
  At(row).returns = static_cast<uint8_t>(std::min(count, UINT8_MAX));
  TouchLine(&At(row));
}

// Cells of both screens are the only users: the scrollback holds text.
void Grid::SweepClusters() {
  std::vector<bool> used(clusters_.size());
  auto for_each = [this](auto visit) {
    for (Buffer& buffer : buffers_) {
      for (Row& row : buffer.rows) {
        for (int col = 0; col < row.used; ++col) {
          uint32_t* text = &row.cells[col].text;
          if (*text >= kClusterBase) visit(text);
        }
      }
    }
  };
  for_each([&](const uint32_t* text) { used[*text - kClusterBase] = true; });
  std::vector<uint32_t> moved = clusters_.Sweep(used);
  for_each([&](uint32_t* text) { *text = moved[*text - kClusterBase]; });
}

void Grid::SetWrapped(int row, bool wrapped) {
  if (row >= size_.rows || At(row).wrapped == wrapped) return;
  // The first row of all has nothing to continue.
  if (wrapped && row == 0) return;
  At(row).wrapped = wrapped;
  if (alternate()) return;
  // The line above ends elsewhere, those below get other numbers.
  for (int i = std::max(row - 1, 0); i < size_.rows; ++i) TouchLine(&At(i));
  if (row == 0) scrollback_.TouchNewest(counter_);
}

void Grid::Erase(const Rect& rect, bool selective) {
  for (int row = rect.top; row < rect.bottom; ++row) {
    EraseRow(row, rect.left, rect.right, selective);
  }
}

// zsh prints a row of blanks to begin its prompt in a row of its own, and
// erases what flowed into the next row: then those before the edge are not
// meant to stay either.
void Grid::TakeBackBlanks(int row) {
  if (row == 0 || At(row).HasText()) return;
  Row& above = At(row - 1);
  Cell blank;
  blank.text = ' ';
  while (above.used > 0 && above.cells[above.used - 1] == blank) {
    --above.used;
  }
}

// In the common case, default background up to the edge, the row just becomes
// shorter; when it already was, nothing changed and nothing is stamped.
void Grid::EraseRow(int row, int left, int right, bool selective) {
  if (left >= right) return;
  bool to_edge = right >= size_.cols;
  // Where the end of a row is erased nothing flows into the next one.
  if (to_edge && left == 0 && At(row).wrapped) {
    TakeBackBlanks(row);
    SetWrapped(row, false);
  }
  if (to_edge) SetWrapped(row + 1, false);
  bool is_default = pen_.background == kDefaultColor;
  Row& erased = At(row);
  erased.untouched = false;
  if (is_default && erased.used <= left) return;
  Edit(row);
  if (is_default && to_edge && !selective) {
    CutWideAt(&erased, left);
    erased.used = std::min(erased.used, left);
    return;
  }
  if (!is_default) erased.Reach(selective ? right : left);
  if (is_default || selective) right = std::min(right, erased.used);
  if (!selective) {
    CutWideAt(&erased, left);
    CutWideAt(&erased, right);
    Cell* cells = erased.cells.data();
    FillCells(Blank(), cells + left, cells + right);
    erased.used = std::max(erased.used, right);
    return;
  }
  for (int col = left; col < right; ++col) {
    Cell& cell = erased.cells[col];
    if ((cell.flags & kProtected) == 0) cell = Blank();
  }
  erased.Repair();
}

void Grid::Buffer::Rotate(int top, int bottom, int count) {
  auto first = order.begin();
  std::rotate(first + top, first + top + count, first + bottom);
}

// Only what comes up from below is written, and now and then all.
void Grid::Buffer::RotateAll(int count) {
  size_t first = order.data() - slots.data();
  if (first + order.size() + count > slots.size()) {
    std::copy(order.begin(), order.end(), slots.begin());
    first = 0;
  }
  auto begin = slots.begin() + first;
  std::copy_n(begin, count, begin + order.size());
  order = std::span(slots).subspan(first + count, order.size());
}

// From the top; they stay where they are.
void Grid::PushRows(int count) {
  for (int i = 0; i < count; ++i) scrollback_.Push(At(i), clusters_);
}

// Only what a line feed or a wrap scrolls out of the top is history; of SU and
// DL xterm keeps nothing either. Rows of a region that begins at the top are
// kept too: package managers print above a progress bar that way.
void Grid::ScrollUp(int top, int bottom, int count, History history) {
  count = std::min(count, bottom - top);
  if (count <= 0) return;
  bool push = history == History::kKeep && top == 0 && !alternate();
  bool whole = top == 0 && bottom == size_.rows;
  int64_t below = LineBelow(bottom);
  if (push) PushRows(count);
  if (whole && (push || alternate())) {
    // Rows keep their numbers, only their places change.
    shown_->RotateAll(count);
    shown_->moved = shown_revision_ = ++counter_;
  } else {
    if (!push) SetWrapped(top, false);
    SetWrapped(bottom, false);
    shown_->Rotate(top, bottom, count);
    if (!push) SetWrapped(top, false);
    TouchPlaces(top, bottom);
    for (int row = top; row < bottom && !push; ++row) TouchLine(&At(row));
  }
  for (int row = bottom - count; row < bottom; ++row)
    ClearRow(row, /*is_new=*/true);
  TouchMoved(bottom, below);
}

// The number of the first line below a region; 0 where none is.
int64_t Grid::LineBelow(int bottom) const {
  return bottom < size_.rows && !alternate() ? LineAt(bottom) : 0;
}

// A push, and rows that continued others and are gone, give the lines below a
// region other numbers than `before`.
void Grid::TouchMoved(int bottom, int64_t before) {
  if (LineBelow(bottom) == before) return;
  for (int row = bottom; row < size_.rows; ++row) TouchLine(&At(row));
}

// RI, SD and IL. Nothing is pulled back from the history.
void Grid::ScrollDown(int top, int bottom, int count) {
  count = std::min(count, bottom - top);
  if (count <= 0) return;
  int64_t below = LineBelow(bottom);
  SetWrapped(top, false);
  SetWrapped(bottom, false);
  shown_->Rotate(top, bottom, bottom - top - count);
  TouchPlaces(top, bottom);
  for (int row = top; row < bottom; ++row) TouchLine(&At(row));
  for (int row = top; row < top + count; ++row) ClearRow(row, /*is_new=*/true);
  TouchMoved(bottom, below);
}

// Columns of rows: ICH, DCH and everything within side margins.
void Grid::MoveRect(const Rect& to, const Rect& from) {
  int cols = from.right - from.left;
  int rows = to.bottom - to.top;
  int down = to.top - from.top;
  for (int i = 0; i < rows; ++i) {
    // From the side that is overwritten last.
    int row = down > 0 ? to.bottom - 1 - i : to.top + i;
    Row& target = Edit(row);
    Row& source = At(row - down);
    source.Reach(from.right);
    target.Reach(to.right);
    bool cuts_left = source.cells[from.left].width == 0;
    bool cuts_right = source.cells[from.right - 1].width == 2;
    std::memmove(&target.cells[to.left], &source.cells[from.left],
                 cols * sizeof(Cell));
    // Half a glyph is no glyph, not even beside the other half.
    if (cuts_left) target.cells[to.left].LoseText();
    if (cuts_right) target.cells[to.right - 1].LoseText();
    // Elsewhere a tab would reach elsewhere.
    for (int col = to.left; source.has_tabs && col < to.right; ++col) {
      target.cells[col].flags &= kProtected;
    }
    target.Repair();
  }
}

// So that `clear`, or a program that redraws by clearing, loses nothing that
// was printed. Rows below the last with something on it are not worth a line,
// and of a screen without text none is: zsh prints a row of blanks and erases
// it before each prompt.
void Grid::SaveVisible() {
  if (alternate()) return;
  int rows = size_.rows, with_text = 0;
  while (rows > 0 && At(rows - 1).IsBlank()) --rows;
  for (int row = 0; row < rows; ++row) with_text += At(row).HasText() ? 1 : 0;
  // Its line ends earlier without the blank rows.
  bool goes_on = rows > 0 && rows < size_.rows && At(rows).wrapped;
  if (goes_on) TouchLine(&At(rows - 1));
  if (with_text > 0) {
    PushRows(rows);
  } else {
    SetWrapped(0, false);
  }
  scrollback_.SetFloor();
  // What is pushed has its numbers; what follows comes after it.
  for (int row = 0; row < size_.rows; ++row) ClearRow(row, /*is_new=*/false);
}

// Always blank: nobody relies on what 47 left there in older terminals.
void Grid::EnterAlternate(Place cursor) {
  primary_cursor_ = cursor;
  shown_ = &buffers_[kAlternate];
  Allocate(shown_);
  shown_->moved = shown_revision_ = ++counter_;
}

// Its rows are freed; a full-screen program costs nothing once it has ended.
void Grid::LeaveAlternate() {
  shown_ = &buffers_[kPrimary];
  buffers_[kAlternate].Fill({});
  shown_->moved = shown_revision_ = ++counter_;
}

}  // namespace glasstty::terminal

// Rows are addressed by position, from the top of the shown screen; At maps a
// position to a row. Each change updates up to three revisions: the position's
// (it looks different), the line's (its text or number has changed) and, if the
// whole screen moves, the buffer's. So a line feed need not visit every
// position.
//
// A row begins a new line unless it is wrapped. SetWrapped changes the text of
// the line above and the numbers of the lines below, so it updates the
// revisions of both.
#include "terminal/grid.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace glasstty::terminal {
namespace {

size_t RowBytes(const std::vector<Row>& rows) {
  size_t bytes = 0;
  for (const Row& row : rows) {
    bytes += sizeof(Row) + row.cells.capacity() * sizeof(Cell);
  }
  return bytes;
}

}  // namespace

// The alternate screen is allocated only when it is entered.
Grid::Grid(Size size, const Scrollback::Options& scrollback)
    : scrollback_(scrollback), size_(size) {
  Allocate(&buffers_[kPrimary]);
}

// New rows get the current revision, so every reader notices them.
void Grid::Allocate(Buffer* buffer) {
  Row fresh;
  fresh.cells.resize(size_.cols);
  fresh.line_revision = counter_;
  buffer->Fill(std::vector<Row>(size_.rows, fresh));
  buffer->moved = counter_;
}

uint64_t Grid::RowRevision(int row) const {
  const Buffer& buffer = *shown_;
  return std::max(buffer.changed[row], buffer.moved);
}

size_t Grid::MemoryBytes() const {
  size_t bytes = clusters_.MemoryBytes() + scrollback_.MemoryBytes();
  bytes += RowBytes(alternate_history_);
  for (const Buffer& buffer : buffers_) {
    bytes += RowBytes(buffer.rows);
  }
  return bytes;
}

// Counts downwards from the newest line of the scrollback.
int64_t Grid::LineAt(int row) const {
  int64_t line = scrollback_.next_line();
  // Row 0 is wrapped only if its line begins in the scrollback.
  if (primary_row(0).wrapped) --line;
  for (int i = 1; i <= row; ++i) {
    if (!primary_row(i).wrapped) ++line;
  }
  return line;
}

int Grid::TextRows() const {
  int rows = size_.rows;
  while (rows > 0 && !row(rows - 1).HasText()) --rows;
  return rows;
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

// Sets the cell from which the cell of every glyph is copied.
void Grid::SetPen(const Style& style, bool is_protected) {
  Cell pen;
  pen.foreground = style.foreground;
  pen.background = style.background;
  pen.attributes = style.attributes;
  pen.flags = is_protected ? kProtected : 0;
  StoreCell(pen, &pen_);
}

// Records that the positions [top, bottom) look different.
inline void Grid::TouchPlaces(int top, int bottom) {
  shown_revision_ = ++counter_;
  std::vector<uint64_t>& changed = shown_->changed;
  std::fill(changed.begin() + top, changed.begin() + bottom, counter_);
}

// Records that the row in this position changes.
inline void Grid::TouchRow(int place, Row* row) {
  shown_revision_ = shown_->changed[place] = ++counter_;
  TouchLine(row);
}

// Records that the row's line changes.
inline void Grid::TouchLine(Row* row) {
  if (alternate()) return;
  row->line_revision = ++counter_;
  lines_revision_ = counter_;
}

// Prepares a row for writing, and discards text that a narrower screen hides.
// Inline because it is called for every run of text (measured by
// terminal_bench, feed), and therefore used in this file only.
[[gnu::always_inline]] inline Row& Grid::Edit(int row) {
  Row& edited = At(row);
  edited.Cut(size_.cols);
  edited.plain = false;
  edited.returns = 0;
  TouchRow(row, &edited);
  return edited;
}

void Grid::PutRow(int place, Row row) {
  SetWrapped(place, false);
  Row& replaced = Edit(place);
  row.cells.resize(std::max<size_t>(row.cells.size(), size_.cols));
  row.line_revision = replaced.line_revision;
  row.wrapped = false;
  row.untouched = false;
  replaced = std::move(row);
  replaced.Cut(size_.cols);
}

// Erasing uses only the background.
Cell Grid::Blank() const {
  Cell cell;
  cell.background = pen_.background;
  return cell;
}

// Writes no cells unless the pen has a background (BCE, as in xterm).
void Grid::ClearRow(int row, bool is_new) {
  Row& cleared = At(row);
  cleared.used = 0;
  cleared.untouched = is_new;
  cleared.wrapped = false;
  cleared.has_tabs = false;
  cleared.has_lone_marks = false;
  cleared.has_joints = false;
  cleared.returns = 0;
  cleared.plain = pen_.background == kDefaultColor;
  TouchRow(row, &cleared);
  if (cleared.plain) return;
  FillCells(Blank(), cleared.cells.data(), cleared.cells.data() + size_.cols);
  cleared.used = size_.cols;
}

inline void Grid::CutWideAt(Row* row, int col) {
  bool is_cut = col > 0 && col < row->used && row->cells[col].width == 0;
  if (is_cut) BlankWideAt(row, col);
}

void Grid::BlankWideAt(Row* row, int col) {
  for (int half = col - 1; half <= col; ++half) {
    row->cells[half].text = 0;
    row->cells[half].width = 1;
  }
}

// Half a wide glyph cannot be shown, so wide glyphs that are split at either
// end become blank.
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

// The text of a wide glyph is in its left half. A blank that gets a mark
// becomes a space.
void Grid::AppendMark(char32_t mark) {
  if (last_put_ == kNowhere) return;
  Row& row = Edit(last_put_.row);
  row.Reach(last_put_.col + 1);
  Cell* cell = &row.cells[last_put_.col];
  if (cell->width == 0) --cell;
  // A tab that contains text is no longer a tab.
  if (cell->text == 0) cell->flags &= ~kTabFlags;
  cell->text = clusters_.WithMark(cell->text, mark);
  if (clusters_.needs_sweep()) SweepClusters();
}

// Rows may have scrolled since the last put, so this may be any cell.
Cell Grid::LastCell() const {
  const Row& row = At(*shown_, last_put_.row);
  int col = last_put_.col;
  if (col >= row.used) return {};
  if (row.cells[col].width == 0) --col;
  return row.cells[col];
}

void Grid::JoinLast(char32_t c) {
  At(last_put_.row).has_joints = true;
  AppendMark(c);
}

void Grid::NarrowLast() {
  Row& row = Edit(last_put_.row);
  if (row.cells[last_put_.col].width == 0) --last_put_.col;
  Cell* left = &row.cells[last_put_.col];
  if (left->width != 2) return;
  row.has_joints = true;
  left[0].width = 1;
  left[1].LoseText();
}

Cell Grid::TakeLast() {
  Cell taken = LastCell();
  Edit(last_put_.row).cells[last_put_.col].LoseText();
  return taken;
}

// Tabs that were printed after the glyph are recorded at its right half only.
void Grid::PutWide(Place at, const Cell& cell) {
  Cell left = cell, right = cell;
  left.width = 2;
  left.flags &= kProtected;
  right.text = 0;
  right.width = 0;
  int end = at.col + 2;
  Row& row = Edit(at.row);
  row.has_joints = true;
  row.Reach(at.col);
  CutWideAt(&row, at.col);
  CutWideAt(&row, end);
  StoreCell(left, &row.cells[at.col]);
  StoreCell(right, &row.cells[at.col + 1]);
  row.used = std::max(row.used, end);
  last_put_ = {at.row, end - 1};
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

// Records the tab only over blank cells; over text, it only moves the cursor.
// Recording the same tab again has no effect.
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

// Records the tab only directly after printed text that is shown.
void Grid::PutStuckTab(Row* row, int behind, size_t which) {
  if (behind < 0 || row->PrintedEnd(size_.cols) != behind + 1) return;
  // The edge of a narrowed screen hides the other half of this glyph.
  if (row->cells[behind].width == 2) return;
  uint8_t flag = which == 0 ? kTabsBeforeLast : kTabsBehindLast;
  uint8_t* flags = &row->cells[behind].flags;
  uint16_t* count = &row->stuck_tabs[which];
  if ((*flags & flag) == 0) {
    // Tabs that were recorded at the edge of another width are dropped.
    for (Cell& cell : row->cells) cell.flags &= ~flag;
    *count = 0;
  }
  *flags |= flag;
  row->plain = false;
  row->has_tabs = true;
  if (*count < Row::kMostStuckTabs) ++*count;
  TouchLine(row);
}

// Does nothing for a row that continues in the next one, because such a row
// does not end a line.
void Grid::SetReturns(int row, int count) {
  bool goes_on = row + 1 < size_.rows && At(row + 1).wrapped;
  if (alternate() || goes_on) return;
  At(row).returns = static_cast<uint8_t>(std::min(count, kMostReturns));
  TouchLine(&At(row));
}

// Only cells of rows refer to clusters; the scrollback contains text.
void Grid::SweepClusters() {
  std::vector<bool> used(clusters_.size());
  auto for_each = [this](auto visit) {
    for (std::vector<Row>* rows :
         {&buffers_[kPrimary].rows, &buffers_[kAlternate].rows,
          &alternate_history_}) {
      for (Row& row : *rows) {
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
  // The first row has no row above it to continue.
  if (wrapped && row == 0) return;
  At(row).wrapped = wrapped;
  if (alternate()) return;
  // The end of the line above moves, and the lines below get other numbers.
  for (int i = std::max(row - 1, 0); i < size_.rows; ++i) TouchLine(&At(i));
  if (row == 0) scrollback_.TouchNewest(counter_);
}

void Grid::Erase(const Rect& rect, bool selective) {
  for (int row = rect.top; row < rect.bottom; ++row) {
    EraseRow(row, rect.left, rect.right, selective);
  }
}

// To begin its prompt in a new row, zsh prints a row of blanks and erases those
// that overflow into the next row. The blanks before the edge must then
// disappear, too.
void Grid::TakeBackBlanks(int row) {
  if (row == 0 || At(row).HasText()) return;
  Row& above = At(row - 1);
  Cell blank;
  blank.text = ' ';
  while (above.used > 0 && above.cells[above.used - 1] == blank) {
    --above.used;
  }
}

// In the common case, default background up to the edge, the row only becomes
// shorter. If the row was that short already, its revision does not change.
void Grid::EraseRow(int row, int left, int right, bool selective) {
  if (left >= right) return;
  bool to_edge = right >= size_.cols;
  // A row that is erased as a whole continues no other row, and a row whose end
  // is erased does not continue in the next one.
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

// Usually writes only the entries of the rows that enter at the bottom; copies
// all entries when the storage is used up.
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

// Pushes copies of the top rows into the scrollback.
void Grid::PushRows(int count) {
  for (int i = 0; i < count; ++i) scrollback_.Push(At(i), clusters_);
}

// With History::kKeep, rows that leave through the top of the primary screen
// become history, even if only a region that begins at the top scrolls. xterm
// does the same: package managers print above a progress bar that way.
void Grid::ScrollUp(int top, int bottom, int count, History history) {
  count = std::min(count, bottom - top);
  if (count <= 0) return;
  bool push = history == History::kKeep && top == 0 && !alternate();
  bool whole = top == 0 && bottom == size_.rows;
  int64_t below = LineBelow(bottom);
  if (push) PushRows(count);
  if (whole && (push || alternate())) {
    if (history == History::kKeep && alternate()) KeepAlternate(count);
    // Lines keep their numbers; only the positions of rows change.
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

// Returns the first line below the region; 0 if none is on the primary screen.
int64_t Grid::LineBelow(int bottom) const {
  return bottom < size_.rows && !alternate() ? LineAt(bottom) : 0;
}

// Updates the revisions of the lines below the region if their numbers have
// changed, by a push or by the loss of rows that continued others. `before` is
// the previous number of the first of these lines.
void Grid::TouchMoved(int bottom, int64_t before) {
  if (LineBelow(bottom) == before) return;
  for (int row = bottom; row < size_.rows; ++row) TouchLine(&At(row));
}

// RI, SD and IL use this. No rows return from the history.
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

// ICH, DCH, DECCRA, insert mode and side margins move parts of rows.
void Grid::MoveRect(const Rect& to, const Rect& from) {
  int cols = from.right - from.left;
  int rows = to.bottom - to.top;
  int down = to.top - from.top;
  for (int i = 0; i < rows; ++i) {
    // Copy in an order in which no row is overwritten before it is copied.
    int row = down > 0 ? to.bottom - 1 - i : to.top + i;
    Row& target = Edit(row);
    Row& source = At(row - down);
    source.Reach(from.right);
    target.Reach(to.right);
    target.has_joints |= source.has_joints;
    bool cuts_left = source.cells[from.left].width == 0;
    bool cuts_right = source.cells[from.right - 1].width == 2;
    std::memmove(&target.cells[to.left], &source.cells[from.left],
                 cols * sizeof(Cell));
    // Blank a half that was cut off, even if it lands beside its other half.
    if (cuts_left) target.cells[to.left].LoseText();
    if (cuts_right) target.cells[to.right - 1].LoseText();
    // A moved tab would end in another column, so convert it to blanks.
    for (int col = to.left; source.has_tabs && col < to.right; ++col) {
      target.cells[col].flags &= kProtected;
    }
    target.Repair();
  }
}

// Ensures that `clear`, or a program that redraws by clearing, loses no printed
// text. Blank rows at the bottom are not saved, nor is a screen without text:
// zsh prints a row of blanks and erases it before each prompt.
void Grid::SaveVisible() {
  if (alternate()) return;
  int rows = size_.rows, with_text = 0;
  while (rows > 0 && At(rows - 1).IsBlank()) --rows;
  for (int row = 0; row < rows; ++row) with_text += At(row).HasText() ? 1 : 0;
  // Without the blank rows, the line of the last pushed row ends earlier.
  bool goes_on = rows > 0 && rows < size_.rows && At(rows).wrapped;
  if (goes_on) TouchLine(&At(rows - 1));
  if (with_text > 0) {
    PushRows(rows);
  } else {
    SetWrapped(0, false);
  }
  scrollback_.SetFloor();
  // Lines that were pushed keep their numbers; later lines come after them.
  for (int row = 0; row < size_.rows; ++row) ClearRow(row, /*is_new=*/false);
}

}  // namespace glasstty::terminal

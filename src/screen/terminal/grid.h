// The cells of the primary and the alternate screen: puts, erases, moves and
// scrolls glyphs, and numbers lines and revisions.
//
// Owns both buffers (the alternate one only while it is shown), the clusters
// and the scrollback. Does not parse bytes: the cursor (active_cursor.h) and
// the interpreter (interpreter.h) call it with positions inside the screen.
// Single-threaded.
//
// Rows stay in memory and only their order changes, so scrolling whole rows
// moves no cells. Each write stores the value of an ascending counter, the
// revision, with the row's position. A reader remembers a revision, and later
// asks which rows are newer.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/clusters.h"
#include "terminal/row.h"
#include "terminal/scrollback.h"
#include "terminal/snapshot.h"
#include "terminal/state_codec.h"

namespace glasstty::terminal {

struct Place {
  int row = 0;
  int col = 0;

  bool operator==(const Place&) const = default;
};

// A code point, mapped by the active character set, and the number of columns
// that it takes (1 or 2). The members are not initialised, because the
// interpreter keeps an array of glyphs on the stack.
struct Glyph {
  char32_t code_point;
  int width;
};

// A half-open rectangle: rows [top, bottom), columns [left, right).
struct Rect {
  int top = 0;
  int bottom = 0;
  int left = 0;
  int right = 0;
};

class Grid {
 public:
  // Says whether rows that scroll off the top become history.
  enum class History { kKeep, kDrop };

  Grid(Size size, const Scrollback::Options& scrollback);
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  // --- reading ---
  Size size() const { return size_; }
  bool alternate() const { return shown_ == &buffers_[kAlternate]; }
  // Returns a row of the screen that is shown.
  const Row& row(int row) const { return At(*shown_, row); }
  // Returns one past the last row with text.
  int TextRows() const;
  // Returns the revision of a row's position on the shown screen: that of its
  // own last change, or that of the last change of all positions (a scroll, a
  // switch of screens, another size), whichever is newer.
  uint64_t RowRevision(int row) const;
  const ClusterTable& clusters() const { return clusters_; }
  const Scrollback& scrollback() const { return scrollback_; }
  // Makes `line` the number of the line to which the first row of the primary
  // screen belongs. REQUIRES: nothing has been pushed into the scrollback.
  void NumberFrom(int64_t line) {
    scrollback_.NumberFrom(line + (primary_row(0).wrapped ? 1 : 0));
  }
  // See Scrollback. REQUIRES: the primary screen is blank.
  void SkipNumbers(int64_t lines) { scrollback_.SkipNumbers(lines); }
  std::string TakeEvicted() { return scrollback_.TakeEvicted(); }
  uint64_t revision() const { return shown_revision_; }
  uint64_t lines_revision() const { return lines_revision_; }
  size_t MemoryBytes() const;

  // --- lines: of the primary screen, whether it is shown or not ---
  const Row& primary_row(int row) const { return At(buffers_[kPrimary], row); }
  // Returns the line to which a row belongs.
  int64_t LineAt(int row) const;
  // Returns one past the last line that has text.
  int64_t TextEndLine() const;
  // Returns the number of bytes of a line's text that precede a position on the
  // primary screen.
  size_t LineBytesBefore(Place at) const;
  // Returns the primary screen's cursor while the alternate screen is shown.
  Place primary_cursor() const { return primary_cursor_; }

  // --- drawing on the shown screen ---
  // Sets the style and protection of later glyphs; erasing uses only the
  // background.
  void SetPen(const Style& style, bool is_protected);
  // Puts glyphs at `at`. REQUIRES: there is at least one glyph, and together
  // they take `cols` columns, which fit into the row.
  void Put(Place at, int cols, std::span<const Glyph> glyphs);
  void PutAscii(Place at, std::string_view text);
  // AppendMark adds a mark to the last glyph. MarkAt makes the glyph at `at`
  // the last one.
  void AppendMark(char32_t mark);
  void MarkAt(Place at) { last_put_ = at; }
  // Adds `c`, which is not a mark, to the cluster of the last glyph.
  void JoinLast(char32_t c);
  // Returns the cell of the last glyph. REQUIRES: there is one.
  Cell LastCell() const;
  // Widen the last glyph to two columns, including the next cell, or narrow it
  // to one. WidenLast REQUIRES: the glyph takes one column, which is not the
  // last of its row.
  void WidenLast() { PutWide(last_put_, LastCell()); }
  void NarrowLast();
  // TakeLast removes and returns the last glyph, which must take one column.
  // PutWide puts such a glyph elsewhere, with two columns.
  Cell TakeLast();
  void PutWide(Place at, const Cell& cell);
  // Records that the last glyph may be a combining mark in a cell of its own.
  void LastStandsAlone() { At(last_put_.row).has_lone_marks = true; }
  // Returns the position of the last glyph's last column; {-1, -1} if there is
  // no last glyph.
  Place last_put() const { return last_put_; }
  // Returns true if the last glyph is wide, and `at` is its last column or the
  // next one.
  bool IsBehindWide(Place at) const;
  // Returns true if the row appeared by scrolling and, since then, nothing has
  // been printed at or after `at` and nothing in the row has been erased.
  bool IsUntouched(Place at) const;
  // Puts the same narrow code point into each cell, with the pen's attributes;
  // a pen without colours keeps the cell's colours, as in xterm.
  void Fill(const Rect& rect, char32_t c);
  // Replaces the text of each cell by a blank and keeps the cell's style. With
  // `spares_protected`, protected cells are left alone.
  void Wipe(const Rect& rect, bool spares_protected);
  // Records a tab that moved the cursor from `from` to column `to` of its row,
  // or that did not move it (`to` is the same column). With `is_behind`, a wrap
  // is pending, so the tab follows the cell at `from`. Lines reproduce the tab,
  // but the screen does not.
  void PutTab(Place from, int to, bool is_behind);
  static constexpr int kMostReturns = UINT8_MAX;
  // Records that `count` carriage returns end the line of this row; if there
  // are more than kMostReturns, that many.
  void SetReturns(int row, int count);
  // Sets whether the row continues the one above.
  void SetWrapped(int row, bool wrapped);
  // `selective` spares protected cells.
  void Erase(const Rect& rect, bool selective);
  // These move rows [top, bottom), in their full width, up or down by `count`.
  void ScrollUp(int top, int bottom, int count, History history);
  void ScrollDown(int top, int bottom, int count);
  // Copies a rectangle to another of equal size; they may overlap. The source
  // is not erased.
  void MoveRect(const Rect& to, const Rect& from);
  // Pushes the rows of the screen into the scrollback, without blank rows at
  // the bottom, and clears the screen. A screen without text is only cleared.
  // Does nothing on the alternate screen.
  void SaveVisible();

  // --- the whole screen ---
  // Shows a blank alternate screen, and remembers `cursor` as the primary
  // screen's cursor.
  void EnterAlternate(Place cursor);
  void LeaveAlternate();
  // Moves rows of the alternate screen into `*rows`: first the kept rows that
  // left the screen when all of it scrolled, then the visible rows up to the
  // last one with text. Returns the number of the kept rows. REQUIRES: the
  // alternate screen is shown, and the caller leaves it afterwards, because
  // that screen has no rows left.
  int TakeAlternate(std::vector<Row>* rows);
  // Replaces the row at `place`, which then begins a new line.
  void PutRow(int place, Row row);
  struct Shifts {
    int shown = 0;    // rows by which the content moved down; negative: up
    int primary = 0;  // like `shown`, for the primary screen
  };
  // Changes the size. To keep the cursor on its text, the caller adds
  // Shifts::shown to the cursor's row, and clamps the result.
  Shifts Resize(Size size, Place cursor);
  // See saved_state.cc. When reading, REQUIRES: nothing has been drawn yet.
  void Carry(StateCodec* codec, bool is_alternate);
  // Makes later revisions greater than those of `before`.
  void CountOnFrom(const Grid& before) { counter_ = before.counter_; }
  // Records a visible change that is not in a cell (cursor, reverse video).
  void Touch() { shown_revision_ = ++counter_; }

 private:
  enum { kPrimary = 0, kAlternate = 1 };
  struct Buffer {
    std::vector<Row> rows;
    std::span<Row*> order;          // the rows from the top; a part of `slots`
    std::vector<Row*> slots;        // storage in which `order` can move
    std::vector<uint64_t> changed;  // revisions of the positions, from the top
    uint64_t moved = 0;             // the revision of all positions at once

    // Take removes and returns all rows, from the top; Fill sets them.
    std::vector<Row> Take();
    void Fill(std::vector<Row> from_top);
    // Rotates rows [top, bottom) up by `count`: rows that leave the top are
    // moved to the bottom.
    void Rotate(int top, int bottom, int count);
    void RotateAll(int count);
  };

  // Rows count from the top of `buffer`, or of the buffer that is shown.
  static const Row& At(const Buffer& buffer, int row) {
    return *buffer.order[row];
  }
  Row& At(int row) { return *shown_->order[row]; }
  void Allocate(Buffer* buffer);
  void TouchPlaces(int top, int bottom);
  void TouchRow(int place, Row* row);
  void TouchLine(Row* row);
  Row& Edit(int row);
  void PutStuckTab(Row* row, int behind, size_t which);
  Cell Blank() const;
  void ClearRow(int row, bool is_new);
  void EraseRow(int row, int left, int right, bool selective);
  // Must be called before a row that continues the row above is erased as a
  // whole. If `row` has no text, removes the printed spaces at the end of the
  // row above: they belong to the spaces that overflowed into `row`.
  void TakeBackBlanks(int row);
  // Blanks both halves of a wide glyph that a write at `col` would split.
  void CutWideAt(Row* row, int col);
  static void BlankWideAt(Row* row, int col);
  void PushRows(int count);
  void KeepAlternate(int count);
  int64_t LineBelow(int bottom) const;
  void TouchMoved(int bottom, int64_t before);
  int ResizeRows(Buffer* buffer, int rows, int cursor_row, bool is_primary);
  int Shrink(std::vector<Row>* rows, int count, int cursor_row,
             bool is_primary);
  int Grow(std::vector<Row>* rows, int count, bool is_primary);
  void SweepClusters();

  // Owned.
  std::array<Buffer, 2> buffers_;
  ClusterTable clusters_;
  Scrollback scrollback_;
  // While the alternate screen is shown, the newest rows that left it when all
  // of it scrolled. Once this vector is full, each new row replaces the oldest.
  std::vector<Row> alternate_history_;
  size_t alternate_next_ = 0;
  // State.
  Size size_;
  Buffer* shown_ = &buffers_[kPrimary];
  Cell pen_;  // text 0, width 1
  static constexpr Place kNowhere = {-1, -1};
  Place last_put_ = kNowhere;  // the last glyph
  Place primary_cursor_;
  uint64_t counter_ = 1;  // counts all changes
  uint64_t shown_revision_ = 1;
  uint64_t lines_revision_ = 1;
};

}  // namespace glasstty::terminal

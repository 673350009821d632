// The cells of the primary and the alternate screen: where glyphs are put,
// erased, moved and scrolled, and how rows and lines are numbered.
//
// Owns both buffers (the alternate one only while it is shown), the clusters
// and the scrollback. Knows nothing of bytes or sequences: the flow
// (flow.h) and the guard (guard.h) call it with places inside the screen. One
// thread.
//
// Rows stay where they are and only their order changes, so that scrolling
// moves no cells. Each write stamps its place with a counter that only rises; a
// reader remembers a stamp and asks what is newer.
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

namespace glasstty::terminal {

struct Place {
  int row = 0;
  int col = 0;

  bool operator==(const Place&) const = default;
};

// What takes columns: a code point, mapped, and how many (1 or 2).
struct Glyph {
  char32_t code_point = 0;
  int width = 1;
};

// Half open: rows [top, bottom), columns [left, right).
struct Rect {
  int top = 0;
  int bottom = 0;
  int left = 0;
  int right = 0;
};

class Grid {
 public:
  enum class History { kKeep, kDrop };  // what becomes of rows scrolled out

  Grid(Size size, const Scrollback::Options& scrollback);
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  // --- reading ---
  Size size() const { return size_; }
  bool alternate() const { return shown_ == &buffers_[kAlternate]; }
  // On the screen that is shown.
  const Row& row(int row) const { return At(*shown_, row); }
  // Revision of a place of the shown screen: its own or the last scroll.
  uint64_t RowRevision(int row) const;
  const ClusterTable& clusters() const { return clusters_; }
  const Scrollback& scrollback() const { return scrollback_; }
  // See Scrollback.
  void NumberFrom(int64_t line) { scrollback_.NumberFrom(line); }
  std::string TakeEvicted() { return scrollback_.TakeEvicted(); }
  uint64_t revision() const { return shown_revision_; }
  uint64_t lines_revision() const { return lines_revision_; }
  size_t MemoryBytes() const;

  // --- lines: the primary screen, shown or not ---
  const Row& primary_row(int row) const { return At(buffers_[kPrimary], row); }
  // The line that a row belongs to.
  int64_t LineAt(int row) const;
  // One past the last line that has text.
  int64_t TextEndLine() const;
  // Bytes of its line's text in front of a place of the primary screen.
  size_t LineBytesBefore(Place at) const;
  // Where the primary screen's cursor waits while the other one is shown.
  Place primary_cursor() const { return primary_cursor_; }

  // --- drawing on the shown screen ---
  // Style, protection of what is put; erasing takes its background.
  void SetPen(const Style& style, bool is_protected);
  // REQUIRES: they fit into the row, and are not none. They take `cols`
  // columns together.
  void Put(Place at, int cols, std::span<const Glyph> glyphs);
  void PutAscii(Place at, std::string_view text);
  // Adds a mark to what stands where a glyph was put last; after MarkAt, there.
  void AppendMark(char32_t mark);
  void MarkAt(Place at) { last_put_ = at; }
  // The glyph that was put last is a mark, and joins nothing.
  void LastStandsAlone() { At(last_put_.row).has_lone_marks = true; }
  // The last column of what was put last.
  Place last_put() const { return last_put_; }
  // It was a wide glyph, and `at` is its last column or the one behind it.
  bool IsBehindWide(Place at) const;
  // Nothing was printed there since the row came by scrolling, and nothing in
  // the row erased.
  bool IsUntouched(Place at) const;
  // The same narrow code point in each cell, in the pen's attributes; a pen
  // without colours leaves those of the cell, as in xterm.
  void Fill(const Rect& rect, char32_t c);
  // Blanks that keep the look of what stood there, unless it is protected.
  void Wipe(const Rect& rect, bool spares_protected);
  // A tab took the cursor from `from` to column `to` of its row, or left it
  // where it is; behind the cell at `from` if `is_behind`, as where a wrap is
  // pending. Lines tell it, the screen does not.
  void PutTab(Place from, int to, bool is_behind);
  // So many carriage returns end the line of this row.
  void SetReturns(int row, int count);
  // The row continues the one above.
  void SetWrapped(int row, bool wrapped);
  // `selective` spares protected cells.
  void Erase(const Rect& rect, bool selective);
  // Rows [top, bottom) over the full width move up or down.
  void ScrollUp(int top, int bottom, int count, History history);
  void ScrollDown(int top, int bottom, int count);
  // Of equal size; they may overlap. What is left behind is not erased.
  void MoveRect(const Rect& to, const Rect& from);
  // Pushes what is visible into the scrollback, before it is cleared away.
  void SaveVisible();

  // --- the whole screen ---
  // Shows a blank alternate screen; the primary's cursor waits at `cursor`.
  void EnterAlternate(Place cursor);
  void LeaveAlternate();
  struct Shifts {
    int shown = 0;    // rows that the content moved down (up: negative)
    int primary = 0;  // the same of the primary screen
  };
  // The cursor stays on its text: add shifts.shown to its row and clamp.
  Shifts Resize(Size size, Place cursor);
  // The screen looks different for another reason (cursor, reverse video).
  void Touch() { shown_revision_ = ++counter_; }

 private:
  enum { kPrimary = 0, kAlternate = 1 };
  struct Buffer {
    std::vector<Row> rows;
    std::span<Row*> order;          // into `rows`, from the top
    std::vector<Row*> slots;        // room for it to move on
    std::vector<uint64_t> changed;  // revisions of the places, from the top
    uint64_t moved = 0;             // that of them all at once

    // Takes all rows out, from the top, or puts others in.
    std::vector<Row> Take();
    void Fill(std::vector<Row> from_top);
    // Rows [top, bottom) move up by `count`, those at the top to the bottom.
    void Rotate(int top, int bottom, int count);
    void RotateAll(int count);
  };

  // Rows count from the top of the buffer, or of the shown one.
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
  // Printed blanks that flowed over the edge into this row, which is erased.
  void TakeBackBlanks(int row);
  // Blanks both halves of a wide glyph that a write at `col` would cut in two.
  void CutWideAt(Row* row, int col);
  void PushRows(int count);
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
  // State.
  Size size_;
  Buffer* shown_ = &buffers_[kPrimary];
  Cell pen_;  // text 0, width 1
  static constexpr Place kNowhere = {-1, -1};
  Place last_put_ = kNowhere;  // the last glyph
  Place primary_cursor_;
  uint64_t counter_ = 1;  // of all changes
  uint64_t shown_revision_ = 1;
  uint64_t lines_revision_ = 1;
};

}  // namespace glasstty::terminal

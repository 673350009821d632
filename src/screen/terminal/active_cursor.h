// The cursor and its operations on the grid: placing glyphs, motion, tabs,
// margins, erasing, inserting, scrolling.
//
// Owns the cursor's position, the pending wrap, the margins and the tab stops,
// and applies the modes that affect them. The effect of every sequence on these
// is defined only here. Behaves like xterm (`./dev conformance xterm`), with
// the exceptions in docs/known_edges.md. Borrows the grid, which must outlive
// it. Does not parse bytes: the interpreter calls one function for each
// sequence (interpreter_csi.cc).
//
// Nearly everything that programs send is text, which AddAscii and AddGlyphs
// write into the grid in runs within a row (measured by terminal_bench, feed).
// Insert mode and side margins use the same code, and cost two comparisons for
// each run.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "terminal/grid.h"
#include "terminal/modes.h"
#include "terminal/state_codec.h"

namespace glasstty::terminal {

class ActiveCursor {
 public:
  explicit ActiveCursor(Grid* grid);

  // --- text: printable, of known width, without marks ---
  void AddGlyphs(std::span<const Glyph> glyphs);
  void AddAscii(std::string_view text);
  // Adds the mark to the last glyph if nothing but a tab has moved the cursor
  // since, or else to the cell under the cursor. If that cell is untouched
  // (Grid::IsUntouched), the mark is added to a space that is printed there.
  void AddMark(char32_t mark);
  // Makes `c` part of the last glyph if nothing has moved the cursor since and
  // both form one glyph (UAX #29). Returns false if `c` is a separate glyph.
  // Only for programs that count columns by glyph.
  bool Join(char32_t c);
  // Applies the selector that was just added to the last glyph. A glyph with a
  // text and an emoji form gets two columns (U+FE0F) or one (U+FE0E).
  void Select(char32_t selector);

  // --- controls ---
  // LF, VT and FF. With LNM, the cursor also returns.
  void LineFeed() {
    Index();
    if (newline_) Return();
  }
  // CR. In origin mode, and from a column at or beyond the left margin, the
  // cursor stops at that margin.
  void Return() {
    EndWrap();
    int col = origin_ || at_.col >= left_ ? left_ : 0;
    is_addressed_ &= at_.col == col;
    at_.col = col;
  }
  // HT. The tab is recorded for lines (Grid::PutTab).
  void Tab();
  void Index() {  // IND
    EndWrap();
    MoveDown();
  }
  void NextLine();      // NEL
  void ReverseIndex();  // RI
  void BackIndex();     // DECBI
  void ForwardIndex();  // DECFI

  // --- motion. Counts are at least 1; rows and columns as int are 1-based ---
  void Up(int count);
  void Down(int count);
  void Forward(int count);
  // BS and CUB. With reverse wrap and autowrap, the cursor continues at the end
  // of the row above.
  void Back(int count);
  void NextLines(int count);      // CNL
  void PreviousLines(int count);  // CPL
  // CUP and its variants. `to` is 0-based; in origin mode, it counts from the
  // margins.
  void MoveTo(Place to);
  void GoToColumn(int col);        // CHA, HPA
  void GoToRow(int row);           // VPA
  void ForwardColumns(int count);  // HPR
  void DownRows(int count);        // VPR
  void TabForward(int count);      // CHT
  void TabBack(int count);         // CBT
  void SetTabStop();               // HTS
  // TBC: clears the stop in this column (0), or all stops (3).
  void ClearTabStops(int what);
  const std::vector<bool>& tab_stops() const { return tab_stops_; }
  void SetTabStops(std::vector<bool> stops) { tab_stops_ = std::move(stops); }
  // Adapts the tab stops of a screen of another width to this screen.
  void FitTabStops(std::vector<bool>* stops) const;

  // --- erasing; `selective` spares protected cells ---
  // Erase from the cursor on (0), up to it (1), or everything (2).
  void EraseInLine(int what, bool selective);
  void EraseInDisplay(int what, bool selective);
  void EraseCells(int count);  // ECH

  // --- inserting, deleting, scrolling, inside the margins ---
  void InsertCells(int count);    // ICH
  void DeleteCells(int count);    // DCH
  void InsertLines(int count);    // IL
  void DeleteLines(int count);    // DL
  void InsertColumns(int count);  // DECIC
  void DeleteColumns(int count);  // DECDC
  void ScrollUp(int count);       // SU
  void ScrollDown(int count);     // SD
  void ScrollLeft(int count);     // SL
  void ScrollRight(int count);    // SR
  // DECALN: fills the screen with E, clears the margins and moves the cursor
  // home.
  void FillScreen();

  // --- margins: rows [top, bottom), columns [left, right) ---
  // The first two functions move the cursor home. They REQUIRE a range of at
  // least two rows or columns on the screen.
  void SetMargins(int top, int bottom);
  void SetSideMargins(int left, int right);
  void ForgetMargins();
  int top_margin() const { return top_; }
  int bottom_margin() const { return bottom_; }
  int left_margin() const { return left_; }
  int right_margin() const { return right_; }
  bool has_row_margins() const {
    return top_ > 0 || bottom_ < grid_->size().rows;
  }
  bool has_margins() const { return has_row_margins() || !IsFullWidth(); }
  // Converts a position given by a program to one on the screen. In origin
  // mode, such positions count from the margins.
  Place FromOrigin(Place place) const;

  // --- the cursor ---
  Place position() const { return at_; }
  // Meaningful only while the cursor is at home: returns true if a sequence
  // with a position (CUP) put the cursor there. Returns false if the cursor
  // only moved there, up or to the left, as line editors do.
  bool is_addressed() const { return is_addressed_; }
  // Returns true if the cursor is at the edge and the next glyph will wrap,
  // because a glyph was put there and nothing has cancelled the wrap since.
  bool pending_wrap() const {
    return wraps_ && autowrap_ && at_.col == Edge() - 1;
  }
  // Cancels the pending wrap, and ends the last glyph, so that marks no longer
  // join it. Every motion except tabs does this.
  void EndWrap() { wraps_ = takes_marks_ = false; }
  // The part of the cursor that DECSC saves.
  struct Saved {
    Place place;
    bool wraps = false;
  };
  Saved Save() const { return {at_, wraps_}; }
  // In origin mode, the bottom and right margins limit the position.
  void Restore(const Saved& saved);
  // Puts whole rows on the screen, from the cursor's row on, or from the next
  // row if the cursor is not in the first column. Moves the cursor below the
  // last row. REQUIRES: there are no margins.
  void PutRows(std::vector<Row> rows);

  // Call when the modes have changed. Does not move the cursor, not even if
  // origin mode changes.
  void SetModes(const Modes& modes);
  // RIS: moves the cursor home, clears the margins and restores the initial tab
  // stops.
  void Reset();
  // Call when the grid has changed its size: clears the margins, adapts the tab
  // stops and moves the cursor to `to`.
  void Resize(Place to);
  // See saved_state.cc.
  void Carry(StateCodec* codec, const Modes& modes);

 private:
  // Returns one past the last column that text can reach from the cursor.
  int Edge() const { return at_.col < right_ ? right_ : grid_->size().cols; }
  bool IsFullWidth() const {
    return left_ == 0 && right_ == grid_->size().cols;
  }
  bool IsInRows() const { return at_.row >= top_ && at_.row < bottom_; }
  bool IsInColumns() const { return at_.col >= left_ && at_.col < right_; }
  // Moves down one row, or scrolls the region. Returns false if it does
  // neither.
  bool MoveDown() {
    int last = grid_->size().rows - 1;
    if (at_.row != bottom_ - 1 && at_.row < last) {
      ++at_.row;
      return true;
    }
    return ScrollAtMargin();
  }
  bool ScrollAtMargin();
  // Moves to the left margin of the next row and, without side margins, marks
  // that row as wrapped.
  void Wrap();
  // Performs the pending wrap before a glyph is put.
  void BeforeGlyph() {
    if (!wraps_) return;
    wraps_ = false;
    if (autowrap_) Wrap();
  }
  // Returns true if the last glyph is directly before the cursor.
  bool IsBehindLast() const {
    Place last = grid_->last_put();
    return takes_marks_ && last.row == at_.row &&
           last.col + (wraps_ ? 0 : 1) == at_.col;
  }
  bool IsLastGlyph(uint8_t trait) const;
  // Makes the last glyph two columns wide.
  void Widen();
  // Moves the cursor to column `end`, past the glyphs that were put there.
  void Advance(int end);
  void GoTo(Place to);
  void ReverseWrap(int before);
  bool NextStop();
  bool PreviousStop();
  // Makes room for text in insert mode.
  void MakeRoom(int cols);
  // Moves the cells between `col` and the right margin by `right` columns, to
  // the left if it is negative, and erases the cells that become free.
  void ShiftCells(int row, int col, int right);
  void ShiftColumns(int col, int right);
  // Scrolls rows [top, bottom_) between the side margins.
  void ScrollRegion(int top, int up, Grid::History history);
  Grid::History HistoryOfEdits() const;

  // Borrowed.
  Grid* const grid_;
  // State.
  bool autowrap_ = true;       // DECAWM
  bool newline_ = false;       // LNM
  bool insert_ = false;        // IRM
  bool origin_ = false;        // DECOM
  bool reverse_wrap_ = false;  // 45
  int top_ = 0;
  int bottom_ = 0;
  int left_ = 0;
  int right_ = 0;
  std::vector<bool> tab_stops_;  // by column
  // While a wrap is pending, the column is that of the edge (Edge() - 1).
  Place at_;
  bool is_addressed_ = true;
  // Set when a glyph was put at the edge and nothing has cancelled the wrap.
  // The next glyph wraps even if a tab has moved the cursor since. Turning
  // autowrap off does not cancel the wrap.
  bool wraps_ = false;
  bool takes_marks_ = false;  // a glyph was put, and nothing but a tab has
                              // moved the cursor since
};

}  // namespace glasstty::terminal

// The cursor, and what it does to the grid: where glyphs go, motion, tabs,
// margins, erasing, inserting, scrolling, rectangles.
//
// The one owner of the cursor's place, of the pending wrap, of the margins and
// the tab stops, whatever modes are on; so what a sequence does is read here
// and nowhere else. It does what xterm does (`./dev conformance xterm`), but
// for what docs/known_edges.md lists. Borrows the grid, which must outlive it.
// Knows no bytes: the guard calls it, a function for each sequence
// (guard_csi.cc).
//
// Text is nearly all that programs send, and goes into the grid in runs of a
// row (AddAscii, AddGlyphs; terminal_bench, feed). There are no other paths:
// insert mode and side margins are two comparisons for each run.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "terminal/grid.h"
#include "terminal/modes.h"

namespace glasstty::terminal {

class Flow {
 public:
  Flow(Size size, Grid* grid);

  // --- text: printable, of known width, never a mark ---
  void AddGlyphs(std::span<const Glyph> glyphs);
  void AddAscii(std::string_view text);
  // Goes to the glyph that was put last when nothing has moved the cursor
  // since, and otherwise to the cell under the cursor; where nothing ever was
  // it takes a cell of its own.
  void AddMark(char32_t mark);

  // --- controls ---
  // LF, VT, FF; under LNM also returns.
  void LineFeed() {
    Index();
    if (newline_) Return();
  }
  // CR. Within origin mode or the side margins it stops at the left one.
  void Return() {
    EndWrap();
    at_.col = origin_ || at_.col >= left_ ? left_ : 0;
  }
  // HT, which lines remember.
  void Tab();
  void Index() {  // IND
    EndWrap();
    MoveDown();
  }
  void NextLine();      // NEL
  void ReverseIndex();  // RI
  void BackIndex();     // DECBI
  void ForwardIndex();  // DECFI

  // --- motion. Counts and columns are at least 1 ---
  void Up(int count);
  void Down(int count);
  void Forward(int count);
  // BS and CUB. Under reverse wrap it goes on at the end of the row above.
  void Back(int count);
  void NextLines(int count);      // CNL
  void PreviousLines(int count);  // CPL
  // CUP, and the parts of it. They count from the margins in origin mode.
  void MoveTo(Place to);
  void GoToColumn(int col);        // CHA, HPA
  void GoToRow(int row);           // VPA
  void ForwardColumns(int count);  // HPR
  void DownRows(int count);        // VPR
  void TabForward(int count);      // CHT
  void TabBack(int count);         // CBT
  void SetTabStop();               // HTS
  // TBC: the stop in this column (0), or all of them (3).
  void ClearTabStops(int what);

  // --- erasing; `selective` spares protected cells ---
  // From the cursor on (0), up to it (1), all (2).
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
  // DECALN: E everywhere, no margins, cursor home.
  void FillScreen();

  // --- margins: rows [top, bottom), columns [left, right) ---
  // The cursor goes home. REQUIRES: a range of at least two on the screen.
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
  // A rectangle of the screen as programs give it: it counts from the margins
  // in origin mode.
  Place FromOrigin(Place place) const;

  // --- the cursor ---
  Place cursor() const { return at_; }
  // The next glyph will wrap: one was put at the edge, nothing ended it since,
  // and the cursor is there.
  bool pending_wrap() const {
    return wraps_ && autowrap_ && at_.col == Edge() - 1;
  }
  // No wrap is pending then, and marks have no glyph. Any motion does it.
  void EndWrap() { wraps_ = takes_marks_ = false; }
  // What DECSC keeps of it.
  struct Saved {
    Place place;
    bool wraps = false;
  };
  Saved Save() const { return {at_, wraps_}; }
  // Under origin mode it stays inside of the margins.
  void Restore(const Saved& saved);

  // After they changed. Origin mode moves the cursor home, which is the
  // caller's to do.
  void SetModes(const Modes& modes);
  // RIS: home, no margins, first tab stops.
  void Reset();
  // No margins are set then, and the cursor is at `to`.
  void Resize(Size size, Place to);

 private:
  // One past the last column that text reaches from here.
  int Edge() const { return at_.col < right_ ? right_ : grid_->size().cols; }
  bool IsFullWidth() const {
    return left_ == 0 && right_ == grid_->size().cols;
  }
  bool IsInRows() const { return at_.row >= top_ && at_.row < bottom_; }
  bool IsInColumns() const { return at_.col >= left_ && at_.col < right_; }
  // One row down, or the region scrolls. False: neither.
  bool MoveDown() {
    int last = grid_->size().rows - 1;
    if (at_.row != bottom_ - 1 && at_.row < last) {
      ++at_.row;
      return true;
    }
    return ScrollAtMargin();
  }
  bool ScrollAtMargin();
  // To the first column of the next row, which continues this one.
  void Wrap();
  // What comes before a glyph: the wrap that is pending.
  void BeforeGlyph() {
    if (!wraps_) return;
    wraps_ = false;
    if (autowrap_) Wrap();
  }
  // Past what was put at the cursor, which ended in column `end`.
  void Advance(int end);
  void GoTo(Place to);
  void ReverseWrap(int before);
  bool NextStop();
  bool PreviousStop();
  void WidenTabStops(int cols);
  // For text in insert mode.
  void MakeRoom(int cols);
  // Cells from `col` to the right margin, by so many columns to the right.
  void ShiftCells(int row, int col, int right);
  void ShiftColumns(int col, int right);
  // Rows [top, bottom_) between the side margins.
  void ScrollRegion(int top, int up, Grid::History history);

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
  // With a wrap pending the column is the last one.
  Place at_;
  // A glyph was put at the edge and nothing ended that. It wraps also where the
  // cursor has gone from there by a tab, and waits while autowrap is off.
  bool wraps_ = false;
  bool takes_marks_ = false;  // a glyph was put and nothing moved since
};

}  // namespace glasstty::terminal

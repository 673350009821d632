// Where glyphs go and what moves the cursor: on our own path while nothing
// unusual is switched on, through libvterm's state layer otherwise.
//
// Owns the state layer; borrows the grid, which must outlive it. The guard
// calls it and nobody else.
//
// Text, cursor motion, erasing, tabs and scrolling are nearly all that programs
// send, and putting them into the grid directly is five to ten times as fast as
// through libvterm, which handles each glyph for itself. So the cursor is held
// in one of two places. *Live*, it is ours and libvterm's is stale. Before
// anything else is written to libvterm it is told the margins and the place
// (Leave), and afterwards the cursor is asked for again (Enter). A pending wrap
// cannot be set by a sequence; it is handed over by printing a glyph of the
// right width in the last column while the callbacks are deaf. Tab stops are
// kept by both, always.
//
// Allowed only without insert, origin and side margin modes and with autowrap.
// Both paths give the same grid, cursor, history and events for any bytes: a
// property test and a fuzz target hold them to it, and set_own_path switches
// ours off for them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "terminal/csi.h"
#include "terminal/grid.h"
#include "terminal/modes.h"
#include "terminal/state_layer.h"

namespace glasstty {

class Flow {
 public:
  Flow(Size size, Grid* grid);

  // --- what may go either way ---
  void AddGlyphs(std::span<const Glyph> glyphs);
  void AddAscii(std::string_view text);
  // CR, BS, HT, LF, VT or FF.
  void Control(char c) {
    // Each line ends with these, and the cursor is nearly always ours then.
    if (live_ && c == '\r') {
      pending_ = false;
      at_.col = 0;
    } else if (live_ && c == '\n' && !newline_) {
      pending_ = false;
      LineFeed();
    } else {
      AnyControl(c);
    }
  }
  // IND (D), NEL (E) or RI (M).
  void Escape(char final);
  // Relative and absolute motion, ED, EL, ECH, ICH, DCH, IL, DL, SU, SD, CHT,
  // CBT. False: not taken, write it.
  bool Sequence(const Csi& csi);
  // REQUIRES: origin mode is off, or no margins are set.
  void MoveTo(Place place);
  // DECSTBM, of rows [top, bottom); the cursor goes home.
  // REQUIRES: 0 <= top, top + 1 < bottom <= rows.
  void SetMargins(int top, int bottom);
  // Writes queued text to libvterm; anything but text does so first.
  void Flush() { state_.Flush(); }

  // --- what only libvterm does ---
  void Write(std::string_view bytes, StateLayer::Writing writing);
  // HTS.
  void SetTabStop();
  // TBC: the stop in this column (0), or all of them (3, 5).
  void ClearTabStops(int what);
  // After libvterm was written something that ended the margins, and what gave
  // it back its first tab stops.
  void ForgetMargins();
  void ForgetTabStops();

  // Rows [top, bottom).
  int top_margin() const { return top_; }
  int bottom_margin() const { return bottom_; }
  Place cursor();
  bool pending_wrap() const { return live_ ? pending_ : state_.pending_wrap(); }
  void EndPendingWrap();

  // The rows below the cursor's; `selective` spares protected cells.
  void EraseBelow(bool selective);

  // After they changed.
  void SetModes(const Modes& modes);
  // No margins are set then.
  void Resize(Size size);

  // For tests.
  void set_own_path(bool on) { own_path_ = on; }
  StateLayer* state_layer() { return &state_; }

 private:
  // Takes the cursor over from libvterm; false when libvterm has to do it.
  bool Enter();
  void AnyControl(char c);
  // Gives it back.
  void Leave();
  void Put(std::span<const Glyph> glyphs);
  void PutAscii(std::string_view text);
  // One row down or up, or the region scrolls.
  void LineFeed();
  void ReverseLineFeed();
  // To the first column of the next row, which continues this one.
  void Wrap();
  void Advance(int width);
  // A stop for each column of a screen of so many.
  void WidenTabStops(int cols);
  // HT.
  void PutTab();
  // Over so many tab stops, to the left if negative.
  void Tab(int count);
  // Cells right of the cursor, by so many columns to the right.
  void ShiftCells(int right);
  void GoTo(Place to);
  // All return false when the sequence is not one of these.
  bool Move(const Csi& csi);
  bool Erase(const Csi& csi);
  bool Scroll(const Csi& csi);

  // Owned.
  StateLayer state_;
  // Borrowed.
  Grid* const grid_;
  // State.
  bool own_path_ = true;
  bool plain_ = true;     // the modes allow it
  bool autowrap_ = true;  // DECAWM
  bool newline_ = false;  // LNM: a line feed also returns
  int top_ = 0;           // margins
  int bottom_ = 0;
  bool margins_told_ = true;     // libvterm knows them
  std::vector<bool> tab_stops_;  // by column
  bool live_ = false;
  // While live. With a wrap pending the column is that of the last glyph, as
  // libvterm has it.
  Place at_;
  bool pending_ = false;
};

}  // namespace glasstty

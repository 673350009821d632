// Where glyphs go and what moves the cursor: on our own path while nothing
// unusual is switched on, through libvterm's state layer otherwise.
//
// Owns the state layer; borrows the grid, which must outlive it. The guard
// calls it and nobody else.
//
// Text, CR, LF, BS, plain cursor motion and erasing are nearly all that
// programs send, and putting them into the grid directly is five to ten times
// as fast as through libvterm, which handles each glyph for itself. So the
// cursor is held in one of two places. *Live*, it is ours and libvterm's is
// stale. Before anything else is written to libvterm it is told the place
// (Leave), and afterwards the cursor is asked for again (Enter). A pending wrap
// cannot be set by a sequence; it is handed over by printing a glyph of the
// right width in the last column while the callbacks are deaf.
//
// Allowed only without insert, origin and side margin modes and with autowrap.
// Both paths give the same grid, cursor, history and events for any bytes: a
// property test and a fuzz target hold them to it, and set_own_path switches
// ours off for them.
#pragma once

#include <string_view>

#include "terminal/csi.h"
#include "terminal/grid.h"
#include "terminal/modes.h"
#include "terminal/state_layer.h"

namespace glasstty {

class Flow {
 public:
  Flow(Size size, Grid* grid);

  // --- what may go either way ---
  void AddGlyph(char32_t c, int width);
  void AddAscii(std::string_view text);
  // CR, BS, LF, VT or FF.
  void Control(char c);
  // Relative and absolute motion, ED, EL, ECH. False: not taken, write it.
  bool Sequence(const Csi& csi);
  // Text is not put before this, or anything but text.
  void Flush() { state_.Flush(); }

  // --- what only libvterm does ---
  void Write(std::string_view bytes, StateLayer::Writing writing);

  Place cursor();
  bool pending_wrap() const { return live_ ? pending_ : state_.pending_wrap(); }
  void EndPendingWrap();

  // After they changed. Margins: rows [top, bottom).
  void SetModes(const Modes& modes);
  void SetMargins(int top, int bottom);
  void Resize(Size size);

  // For tests.
  void set_own_path(bool on) { own_path_ = on; }
  StateLayer* state_layer() { return &state_; }

 private:
  // Takes the cursor over from libvterm; false when libvterm has to do it.
  bool Enter();
  // Gives it back.
  void Leave();
  void Put(char32_t c, int width);
  void PutAscii(std::string_view text);
  // One row down, or the region scrolls.
  void LineFeed();
  // To the first column of the next row, which continues this one.
  void Wrap();
  void Advance(int width);
  bool Move(const Csi& csi);
  bool Erase(const Csi& csi);

  // Owned.
  StateLayer state_;
  // Borrowed.
  Grid* const grid_;
  // State.
  bool own_path_ = true;
  bool plain_ = true;     // the modes allow it
  bool newline_ = false;  // LNM: a line feed also returns
  int top_ = 0;           // margins
  int bottom_ = 0;
  bool live_ = false;
  // While live. With a wrap pending the column is that of the last glyph, as
  // libvterm has it.
  Place at_;
  bool pending_ = false;
};

}  // namespace glasstty

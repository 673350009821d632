// A narrow interface to libvterm, which keeps the settings on which no cell
// depends.
//
// These are: which screen is shown, whether the cursor is visible, whether it
// blinks, and reverse video. Each sequence that sets one of them is composed
// here, and libvterm's callback changes that setting in the modes. Text, cursor
// and cells never reach libvterm (active_cursor.h): its state layer often moves
// the cursor differently from xterm, and puts glyphs one by one. Its screen
// layer is an oracle of the tests (tests/terminal/oracle.h).
//
// Owns the VTerm; borrows the modes, which must outlive it. Nothing else in
// src/ includes vterm.h. Only sequences that are composed here may reach
// libvterm, because versions 0.1.4 and 0.3.3 both crash on ordinary program
// output.
#pragma once

#include <string_view>

#include "terminal/modes.h"
#include "terminal/snapshot.h"

struct VTerm;

namespace glasstty::terminal {

class StateLayer {
 public:
  StateLayer(Size size, Modes* modes);
  ~StateLayer();
  StateLayer(const StateLayer&) = delete;
  StateLayer& operator=(const StateLayer&) = delete;

  // Sets or resets a DECSET mode. REQUIRES: `number` is 5, 12, 25 or 1047.
  void SetMode(int number, bool on);
  // Performs RIS. The caller must reset the modes.
  void Reset();
  void Resize(Size size);

 private:
  struct Callbacks;  // called by libvterm; defined in the .cc
  void Write(std::string_view bytes);

  // Owned.
  VTerm* vterm_;
  // Borrowed.
  Modes* const modes_;
  // State.
  bool is_deaf_ = true;  // while set, no callback changes a mode
};

}  // namespace glasstty::terminal

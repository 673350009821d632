// libvterm behind a narrow door: it keeps the settings that no cell depends on,
// and says what they are.
//
// Which screen is shown, whether the cursor is visible and blinks, reverse
// video, what the mouse reports: the guard spells out each sequence of a stream
// that sets one of them, and libvterm's callback changes it in the modes. Text,
// cursor and cells never reach it (flow.h): its state layer moves the cursor in
// many ways otherwise than xterm does, and puts each glyph for itself. Its
// screen layer is an oracle of the tests (tests/terminal/oracle.h).
//
// Owns the VTerm; borrows the modes, which must outlive it. The only place that
// knows vterm.h. Nothing that the guard did not spell out may reach it:
// libvterm 0.1.4 and 0.3.3 both crash on ordinary program output.
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

  // DECSET or DECRST of 5, 12, 25, 1000, 1002, 1003 or 1047.
  void SetMode(int number, bool on);
  // RIS. The modes are the caller's to reset.
  void Reset();
  void Resize(Size size);

 private:
  struct Callbacks;  // libvterm's side, in the .cc
  void Write(std::string_view bytes);

  // Owned.
  VTerm* vterm_;
  // Borrowed.
  Modes* const modes_;
  // State.
  bool is_deaf_ = true;  // no callback changes a mode
};

}  // namespace glasstty::terminal

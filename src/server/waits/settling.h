// Tells whether a program has finished drawing.
//
// A full-screen program draws in several writes, and the text for which a wait
// looks may appear before the rest. So after a match the wait gives the program
// a moment, until the program waits for input with nothing more to draw for
// what was typed (answering.h), or has been quiet. Borrows the session. The
// wait must keep an interest in the session's state, or settling takes longer.
// Loop thread only.
#pragma once

#include <chrono>

#include "session/session.h"
#include "waits/answering.h"

namespace glasstty::waits {

class Settling {
 public:
  // The limit, because an animation never rests.
  static constexpr Duration kLongest = std::chrono::milliseconds(300);
  // Within one drawing, a program pauses for less than this between two writes.
  static constexpr Duration kQuiet = std::chrono::milliseconds(50);
  // The same if the kernel reports that the program waits for input. Another
  // program may still draw through this one (ssh, tmux).
  static constexpr Duration kRest = std::chrono::milliseconds(8);

  void Begin(const session::Session* session);
  bool begun() const { return session_ != nullptr; }
  // REQUIRES: Begin. `answering` began before anything was typed; null: nothing
  // was typed.
  Look IsOver(Answering* answering = nullptr) const;

 private:
  const session::Session* session_ = nullptr;
  Time began_;
};

}  // namespace glasstty::waits

// Whether a program has finished drawing.
//
// A full-screen program draws in several writes, and the text that a wait looks
// for may appear before the rest. So after a match the wait gives the program a
// moment, until it waits for input again or has been quiet. Borrows the
// session, in whose state the wait keeps an interest, or the moment is longer.
// Loop thread only.
#pragma once

#include <chrono>

#include "session/session_view.h"

namespace glasstty::waits {

class Settling {
 public:
  // An animation never rests.
  static constexpr Duration kLongest = std::chrono::milliseconds(300);
  // A program between two writes of one drawing pauses for less.
  static constexpr Duration kQuiet = std::chrono::milliseconds(50);
  // The same of one that waits for input: the kernel says so itself, but what
  // it waits for may be another program that draws (ssh, tmux).
  static constexpr Duration kRest = std::chrono::milliseconds(8);

  void Begin(const session::SessionView* session);
  bool begun() const { return session_ != nullptr; }
  // REQUIRES: Begin. Lowers *again to the time at which to look again.
  bool IsOver(Time* again) const;

 private:
  const session::SessionView* session_ = nullptr;
  Time began_;
};

}  // namespace glasstty::waits

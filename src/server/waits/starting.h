// Decides whether a program that was just opened is still about to draw its
// first screen.
//
// Programs set up the terminal, and often send it queries, before they draw. So
// a program is not ready just because it polls the keyboard or has been quiet
// for a while. While the screen is completely empty, the processor time that
// the program and its children use shows whether they are still starting. The
// same holds for a while if the cursor is at the beginning of a line below the
// first: interpreters print a banner before they load what their prompt needs.
// Borrows the session. Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "session/session.h"

namespace glasstty::waits {

class Starting {
 public:
  // The time over which the use of the processor is measured. A program that is
  // starting uses the processor for at least a twentieth of it.
  static constexpr Duration kWindow = std::chrono::milliseconds(150);
  // The same for a program on the alternate screen: it is sure to draw
  // something, but may have to wait for the network first.
  static constexpr Duration kLongWindow = std::chrono::seconds(2);
  // The wait for a prompt ends this long after the last output.
  static constexpr Duration kPromptTime = std::chrono::seconds(3);

  void Begin(const session::Session* session);
  // Met if the program has started, or if Begin was not called.
  Look IsOver();

 private:
  bool IsBlank() const;
  bool IsPromptDue() const;

  const session::Session* session_ = nullptr;  // null: not begun, or over
  session::Questions::Kept work_, state_;
  std::optional<Time> since_;  // the beginning of the present window
  uint64_t cpu_ns_ = 0;        // the processor time used before since_
};

}  // namespace glasstty::waits

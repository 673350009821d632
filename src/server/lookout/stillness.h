// Detects from samples of the screen whether anything moves except clocks,
// spinners and the like. A program in which nothing else moves is stuck.
//
// Sentry uses this class for the built-in watch `still`; UntilCheck uses
// waits/movement.h for the condition still_s. Both use motion/advance.h and,
// for screens, motion/screen_motion.h. Borrows nothing. Single-threaded.
#pragma once

#include "base/clock.h"
#include "motion/advance.h"
#include "motion/screen_motion.h"
#include "terminal/terminal.h"

namespace glasstty::lookout {

class Stillness {
 public:
  // Takes a sample. Returns true if something has moved since the last sample.
  bool Take(const terminal::Terminal& terminal, bool draws_screens, Time now);
  // Does the same for the separate stderr of a session without a terminal.
  bool TakeErrors(const terminal::Terminal& terminal);

 private:
  enum class Stream { kOutput, kErrors };
  bool TakeLines(const terminal::Terminal& terminal, Stream stream);

  motion::ScreenMotion screen_;
  bool drew_screens_ = false;
  motion::Advance lines_;
};

}  // namespace glasstty::lookout

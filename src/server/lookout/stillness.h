// Detects from samples of the screen that a program is stuck: nothing moves
// except clocks, spinners and the like.
//
// Two paths decide whether a program is stuck, both by motion/advance.h and,
// for screens, motion/screen_motion.h: Sentry with this class, for the event
// that every session has, and UntilCheck with Movement (waits/), for the
// condition still_s. Borrows nothing. Single thread.
#pragma once

#include "base/clock.h"
#include "motion/advance.h"
#include "motion/screen_motion.h"
#include "terminal/terminal.h"

namespace glasstty::lookout {

class Stillness {
 public:
  // Takes a sample. Returns true if something has moved since the last one.
  bool Take(const terminal::Terminal& terminal, bool draws_screens, Time now);

 private:
  motion::ScreenMotion screen_;
  bool drew_screens_ = false;
  motion::Advance lines_;
};

}  // namespace glasstty::lookout

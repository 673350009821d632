// Detects from samples of the screen that a program is stuck: nothing moves
// except clocks, spinners and the like.
//
// Uses motion/advance.h for lines and motion/screen_motion.h for screens.
// Borrows nothing. Single thread.
#pragma once

#include "base/clock.h"
#include "motion/advance.h"
#include "motion/screen_motion.h"
#include "terminal/terminal.h"

namespace glasstty::lookout {

class Stillness {
 public:
  // Returns whether something has moved since the last look.
  bool Take(const terminal::Terminal& terminal, bool draws_screens, Time now);

 private:
  motion::ScreenMotion screen_;
  bool drew_screens_ = false;
  motion::Advance lines_;
};

}  // namespace glasstty::lookout

// Notices that a program is stuck, from screens that are looked at now and
// then: nothing moves but clocks, spinners and the like.
//
// Lines are left to motion/advance.h, and screens to motion/screen_motion.h.
// Owns everything; one thread.
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

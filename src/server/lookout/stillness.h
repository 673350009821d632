// Notices that a program is stuck, from screens that are looked at now and
// then: nothing moves but clocks, spinners and the like.
//
// A row of lines moves if its text differs in more than times from all that
// were seen lately, or says that something has come further. Screens are left
// to motion/screen_motion.h. Owns everything; one thread.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "motion/screen_motion.h"
#include "terminal/snapshot.h"

namespace glasstty::lookout {

class Stillness {
 public:
  // Returns whether something has moved since the last look.
  bool Take(const terminal::Snapshot& screen, bool draws_screens, Time now);

 private:
  bool TakeRow(const std::string& row);

  motion::ScreenMotion screen_;
  bool drew_screens_ = false;
  // Maps the hash of a row's shape to how far it says that something has come,
  // or to 0 if it does not say so. Bounded.
  std::unordered_map<size_t, double> rows_;
};

}  // namespace glasstty::lookout

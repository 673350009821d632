#include "far/attempts.h"

#include <algorithm>

namespace glasstty::far {

void Attempts::Begin() {
  next_ = Time::max();
  last_ = Last::kUnknown;
}

void Attempts::Worked() {
  ever_worked_ = true;
  last_ = Last::kWorked;
}

// A connection that worked before it broke is worth another try. If it worked
// for longer than the current pause, the pause becomes kFirstPause again.
void Attempts::Ended(Duration lasted, bool is_explained) {
  if (last_ == Last::kWorked) {
    if (lasted > pause_) pause_ = kFirstPause;
  } else {
    last_ = is_explained ? Last::kHopeless : Last::kUnknown;
  }
}

Time Attempts::Schedule(Time now) {
  next_ = now + pause_;
  pause_ = std::min(pause_ * 2, kLongestPause);
  return next_;
}

}  // namespace glasstty::far

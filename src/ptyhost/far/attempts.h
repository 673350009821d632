// Tells when the client of a place may try again to reach it.
//
// A value: starts nothing. A place that has never been reached is left to
// whoever asked for it; one that has been is tried again after growing pauses.
// The relay's thread.
#pragma once

#include <chrono>

#include "base/clock.h"

namespace glasstty::far {

class Attempts {
 public:
  // The next client starts now.
  void Begin();
  // The other end has said hello.
  void Worked();
  // An earlier relay has reached the place.
  void WorkedBefore() { ever_worked_ = true; }
  // The connection of this attempt is over. `lasted`: since it worked, if it
  // did. `is_explained`: it failed for a reason that is known, and stays.
  void Ended(Duration lasted, bool is_explained);

  // Returns false if only somebody who asks for it should cause another try.
  bool MayRepeat() const { return ever_worked_ && last_ != Last::kHopeless; }
  // Puts the next try behind a pause, and returns its time.
  Time Schedule(Time now);
  void Cancel() { next_ = Time::max(); }
  // Returns when the next try is due.
  Time next() const { return next_; }

 private:
  enum class Last { kUnknown, kWorked, kHopeless };

  static constexpr Duration kFirstPause = std::chrono::milliseconds(100);
  static constexpr Duration kLongestPause = std::chrono::seconds(30);

  Last last_ = Last::kUnknown;
  bool ever_worked_ = false;
  Duration pause_ = kFirstPause;
  Time next_ = Time::max();
};

}  // namespace glasstty::far

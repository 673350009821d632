// Decides when the client of a place may be started again after its connection
// has ended.
//
// A value that starts nothing. Once a place has been reached, a lost connection
// is tried again after a pause that grows. A place that has never been reached
// is tried again only on request. Relay thread only.
#pragma once

#include <chrono>

#include "base/clock.h"

namespace glasstty::far {

class Attempts {
 public:
  // Records that the next client starts now.
  void Begin();
  // Records that the far end has sent its kHello.
  void Worked();
  // Records that an earlier relay had reached the place.
  void WorkedBefore() { ever_worked_ = true; }
  // Records that the connection of this attempt has ended. `lasted` is how long
  // the connection worked; it is ignored unless Worked was called.
  // `is_explained` is true if the attempt failed for a known reason, so that
  // another attempt is hopeless.
  void Ended(Duration lasted, bool is_explained);

  // Returns true if the relay may try again without a request.
  bool MayRepeat() const { return ever_worked_ && last_ != Last::kHopeless; }
  // Schedules the next try after a pause, and returns its time.
  Time Schedule(Time now);
  void Cancel() { next_ = Time::max(); }
  // The time at which the next try is due; Time::max() if none is scheduled.
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

// Ends a session that has been without a server for too long.
//
// It is a value that has no clock and ends nothing itself: Keyboard::StartGrace
// starts it, and Holder::RunTimers acts on it. Sessions on other machines have
// another one at the near end (far/near_session.h). The holder's thread.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace glasstty::holder {

class Grace {
 public:
  explicit Grace(uint64_t period_ms) : period_ms_(period_ms) {}

  // Applies from the next Start on.
  void SetPeriod(uint64_t ms) { period_ms_ = ms; }
  uint64_t period_ms() const { return period_ms_; }

  // Starts the time anew, unless the session is to be kept for ever.
  void Start(Time now);
  // Lets the time run out now, because no server can ever come.
  void Expire(Time now) { at_ = now; }
  // Stops the time. A grace that is over remains over.
  void Stop() { at_ = Time::max(); }
  // Starts afresh, because a server is there.
  void Reset();
  // Returns true once when the time has run out.
  bool RunsOut(Time now);

  bool running() const { return at_ != Time::max(); }
  bool is_over() const { return is_over_; }
  // Returns when RunsOut should be called.
  Time next() const { return at_; }

 private:
  uint64_t period_ms_;
  Time at_ = Time::max();
  bool is_over_ = false;
};

}  // namespace glasstty::holder

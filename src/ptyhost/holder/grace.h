// The time for which a session may be without a server before it is ended.
//
// A value without a clock. Keyboard::StartGrace starts the time, and
// Holder::RunTimers ends the session when the time has run out. Sessions on
// other machines have a second Grace at the near end (far/near_session.h).
// Holder thread only.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace glasstty::holder {

class Grace {
 public:
  explicit Grace(uint64_t period_ms) : period_ms_(period_ms) {}

  // Sets the period that the next Start uses.
  void SetPeriod(uint64_t ms) { period_ms_ = ms; }
  uint64_t period_ms() const { return period_ms_; }

  // Starts or restarts the time, unless the period is kKeepForever.
  void Start(Time now);
  // Lets the time run out now, because no server can connect.
  void Expire(Time now) { at_ = now; }
  // Stops the time. Does not change is_over().
  void Stop() { at_ = Time::max(); }
  // Stops the time and clears is_over(), because a server has sent Hello.
  void Reset();
  // If the time has run out, stops it and returns true.
  bool RunsOut(Time now);

  bool running() const { return at_ != Time::max(); }
  // True if RunsOut has returned true since the last Reset.
  bool is_over() const { return is_over_; }
  // The time at which RunsOut should be called; Time::max() unless running().
  Time next() const { return at_; }

 private:
  uint64_t period_ms_;
  Time at_ = Time::max();
  bool is_over_ = false;
};

}  // namespace glasstty::holder

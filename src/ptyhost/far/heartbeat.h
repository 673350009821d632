// Notices that the other end of a connection has fallen silent.
//
// A value: it only decides when a ping is due and when to give the connection
// up; the caller does both. Relay thread only.
#pragma once

#include "base/clock.h"

namespace glasstty::far {

class Heartbeat {
 public:
  enum class Beat { kNothing, kPing, kGiveUp };

  // Starts for a new connection. `heard` is the time when bytes last arrived on
  // it.
  void Start(Time heard);
  void Stop() { next_ = Time::max(); }
  // Returns what to do now. `heard` is as in Start.
  Beat Check(Time now, Time heard);
  // The time at which Check should be called; Time::max() if stopped.
  Time next() const { return next_; }

 private:
  Time next_ = Time::max();
  Time listen_since_ = Time();  // earlier silence is not counted
};

}  // namespace glasstty::far

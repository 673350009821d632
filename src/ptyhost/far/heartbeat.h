// Notices that the other end of a connection has fallen silent.
//
// A value that only decides when to send a ping and when to give up the
// connection. The caller does both. Relay thread only.
#pragma once

#include "base/clock.h"

namespace glasstty::far {

class Heartbeat {
 public:
  enum class Beat { kNothing, kPing, kGiveUp };

  // Starts for a new connection. `heard` is the time at which bytes last
  // arrived.
  void Start(Time heard);
  void Stop() { next_ = Time::max(); }
  // Returns the action that is due now. `heard` is as in Start.
  Beat Check(Time now, Time heard);
  // The time at which Check should be called; Time::max() if stopped.
  Time next() const { return next_; }

 private:
  Time next_ = Time::max();
  Time listen_since_ = Time();  // silence before this time does not count
};

}  // namespace glasstty::far

// Notices that the other end of a connection has fallen silent.
//
// A value: sends nothing. The relay's thread.
#pragma once

#include "base/clock.h"

namespace glasstty::far {

class Heartbeat {
 public:
  enum class Beat { kNothing, kPing, kGiveUp };

  // A connection begins; `heard` is when anything came last.
  void Start(Time heard);
  void Stop() { next_ = Time::max(); }
  // Returns what to do now. `heard` as above.
  Beat Check(Time now, Time heard);
  // Returns when Check should be called.
  Time next() const { return next_; }

 private:
  Time next_ = Time::max();
  Time listen_since_ = Time();  // silence counts from here
};

}  // namespace glasstty::far

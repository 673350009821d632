// Decides how much output of a session may be in flight: enough to keep the
// connection busy, but so little that the echo of a key does not wait long
// behind that output.
//
// A value. Derives the size from the round trips of pings while output arrives.
// There is one Window for each connection.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace glasstty::far {

inline constexpr uint64_t kFirstWindow = 128 << 10;

class Window {
 public:
  // The number of bytes that may be in flight for each session.
  uint64_t bytes() const { return bytes_; }

  // Counts output that has arrived.
  void Arrived(size_t bytes) { arrived_ += bytes; }
  // Returns true if a ping should be sent now. The caller then sends it and
  // calls Sent.
  bool WantsPing(Time now) const;
  void Sent(Time now);
  // Records that the ping was answered after `round_trip`.
  void Answered(Time now, Duration round_trip);

 private:
  uint64_t bytes_ = kFirstWindow;
  uint64_t arrived_ = 0;  // since the last ping
  bool waits_ = false;    // a ping has not been answered yet
  Time next_ = Time();
  Duration least_ = Duration::max();  // the shortest round trip so far
};

}  // namespace glasstty::far

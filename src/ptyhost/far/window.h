// Decides how much output of a session may be on its way: enough to keep the
// line full, but so little that a key's echo does not wait long behind it.
//
// A value. Learns from how long pings take while output arrives. There is one
// for each connection.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace glasstty::far {

inline constexpr uint64_t kFirstWindow = 128 << 10;

class Window {
 public:
  // The number of bytes for each session.
  uint64_t bytes() const { return bytes_; }

  // Counts output that has arrived.
  void Arrived(size_t bytes) { arrived_ += bytes; }
  // Returns true if a ping should be sent now; the caller then calls Sent.
  bool WantsPing(Time now) const;
  void Sent(Time now);
  // The ping was answered after `round_trip`.
  void Answered(Time now, Duration round_trip);

 private:
  uint64_t bytes_ = kFirstWindow;
  uint64_t arrived_ = 0;  // since the last ping
  bool waits_ = false;    // an answer is outstanding
  Time next_ = Time();
  Duration least_ = Duration::max();  // the shortest of all round trips
};

}  // namespace glasstty::far

// How much output of a session may be on its way: enough for the line to be
// full, and little enough for a key's echo not to wait long behind it.
//
// A value. Learns from what pings take while output comes. One for each
// connection.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace glasstty::far {

inline constexpr uint64_t kFirstWindow = 128 << 10;

class Window {
 public:
  // Bytes for each session.
  uint64_t bytes() const { return bytes_; }

  // Output has come.
  void Arrived(size_t bytes) { arrived_ += bytes; }
  // True when a ping should be sent now; the caller then calls Sent.
  bool WantsPing(Time now) const;
  void Sent(Time now);
  // It was answered after that.
  void Answered(Time now, Duration round_trip);

 private:
  uint64_t bytes_ = kFirstWindow;
  uint64_t arrived_ = 0;  // since the last ping
  bool waits_ = false;    // for an answer
  Time next_ = Time();
  Duration least_ = Duration::max();  // of all round trips
};

}  // namespace glasstty::far

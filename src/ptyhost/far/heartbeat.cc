#include "far/heartbeat.h"

#include <algorithm>
#include <chrono>

namespace glasstty::far {
namespace {

using std::chrono::seconds;

// The silence after which a ping is sent, and the silence after which the
// connection is given up.
constexpr seconds kPingAfter{15};
constexpr seconds kAwayAfter{30};
// If Check is called late by more than this, silence is counted from then on:
// this process itself was stalled, so it may not have read what arrived.
constexpr seconds kOwnDelay{1};

}  // namespace

void Heartbeat::Start(Time heard) { next_ = heard + kPingAfter; }

Heartbeat::Beat Heartbeat::Check(Time now, Time heard) {
  if (now < next_) return Beat::kNothing;
  if (now - next_ > kOwnDelay) listen_since_ = now;
  heard = std::max(heard, listen_since_);
  if (now - heard >= kAwayAfter) return Beat::kGiveUp;
  if (now - heard < kPingAfter) {
    next_ = heard + kPingAfter;
    return Beat::kNothing;
  }
  next_ = now + kPingAfter / 3;
  return Beat::kPing;
}

}  // namespace glasstty::far

#include "record/timeline.h"

#include <algorithm>

namespace glasstty::record {

// The holder writes the first record, the size, right before it starts the
// program. Records of one type are in the order of their times.
Timeline::Timeline(const std::vector<wire::EventRecord>& events) {
  if (!events.empty()) start_ns_ = events.front().monotonic_ns;
  for (const wire::EventRecord& event : events) {
    double seconds = static_cast<double>(event.monotonic_ns - start_ns_) / 1e9;
    switch (event.type) {
      case wire::EventType::kTime:
        stretches_.push_back({event.offset, seconds});
        break;
      case wire::EventType::kResize:
        resizes_.push_back(
            {event.offset,
             {static_cast<int>(event.a), static_cast<int>(event.b)},
             seconds});
        break;
      case wire::EventType::kExit:
        exit_ = {static_cast<int>(event.a), seconds};
        break;
      case wire::EventType::kTurn:
        TakeTurn(event.a != 0, seconds);
        break;
      case wire::EventType::kTyped:
        typed_.push_back({seconds, event.a != 0});
        break;
      case wire::EventType::kBreak:
        breaks_.push_back(seconds);
        break;
    }
  }
}

// The record of a turn's beginning may have been dropped with the output.
void Timeline::TakeTurn(bool begins, double seconds) {
  bool is_open = !turns_.empty() && turns_.back().end < 0;
  if (begins) {
    if (!is_open) turns_.push_back({seconds, -1});
    return;
  }
  if (!is_open) turns_.push_back({0, -1});
  turns_.back().end = seconds;
}

Timeline ReadTimeline(int directory) {
  return Timeline(
      wire::ReadEvents(directory).value_or(std::vector<wire::EventRecord>()));
}

// Looks for the last stretch that begins at or before the byte.
double Timeline::SecondsAt(uint64_t offset) const {
  auto after = std::upper_bound(
      stretches_.begin(), stretches_.end(), offset,
      [](uint64_t value, const Stretch& s) { return value < s.offset; });
  return after == stretches_.begin() ? 0 : std::prev(after)->seconds;
}

// A stretch counts as a whole; where times are exact, it lasts 50 ms at most.
uint64_t Timeline::OffsetAt(double seconds, uint64_t end) const {
  auto after = std::upper_bound(
      stretches_.begin(), stretches_.end(), seconds,
      [](double value, const Stretch& s) { return value < s.seconds; });
  return after == stretches_.end() ? end : std::min(after->offset, end);
}

// Returns a negative number for a time before the session. Both clocks are
// CLOCK_MONOTONIC of one boot, because a session does not outlive the machine.
double Timeline::SecondsAt(Time time) const {
  auto ns = time.time_since_epoch().count() - static_cast<int64_t>(start_ns_);
  return static_cast<double>(ns) / 1e9;
}

}  // namespace glasstty::record

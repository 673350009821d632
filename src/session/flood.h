// Whether a session's output is a flood.
//
// Two questions with one beginning, the end of the last pause of a second. Is
// it so much (64 KiB) that the output of others goes first? And does it go on
// so long, too, that whatever is known of its program is out of date at once?
// A spinner is never much; a long listing is, but does not last.
//
// Holds a few numbers, knows no session. Offsets are bytes of the log.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace glasstty {

class Flood {
 public:
  // `now` counts as the time of the first output.
  explicit Flood(Time now) : began_(now), last_(now) {}

  // Output comes, and all before `offset` has been fed: what only waits to be
  // fed is no pause.
  void Arrived(Time now, uint64_t offset);
  // All before `offset` has been fed.
  void Fed(Time now, uint64_t offset);

  // When output was last fed.
  Time last() const { return last_; }
  bool IsMuch() const { return fed_ - from_ > kMuch; }
  // `has_unfed`: there is output that has not been fed.
  bool IsLasting(Time now, bool has_unfed) const;

 private:
  static constexpr uint64_t kMuch = 64 * 1024;
  static constexpr Duration kPause = std::chrono::seconds(1);
  static constexpr Duration kLong = std::chrono::seconds(1);

  Time began_;
  Time last_;
  uint64_t from_ = 0;
  uint64_t fed_ = 0;
};

}  // namespace glasstty

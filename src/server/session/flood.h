// Decides whether a session's output is a flood.
//
// Keeps one level, which output raises and which falls by 64 KiB a second. The
// level answers two questions. Is there so much output that other sessions'
// output should be fed first? And has there been so much for so long that every
// fact about the program is outdated at once? A spinner or a followed log never
// raises the level above kMuch, however long it lasts; a long listing does, but
// not for long.
//
// Does not depend on a session. Offsets count the bytes of the log.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace glasstty::session {

class Flood {
 public:
  // `now` counts as the time of the first output.
  explicit Flood(Time now) : began_(now), last_(now) {}

  // Call this when output arrives and all earlier output has been fed. Lowers
  // the level according to the time since output was last fed. While output
  // waits to be fed, the level does not fall.
  void Arrived(Time now);
  // All output before `offset` has been fed.
  void Fed(Time now, uint64_t offset);

  // When output was last fed.
  Time last() const { return last_; }
  bool IsMuch() const { return level_ > kMuch; }
  // `has_unfed`: some output has not been fed yet.
  bool IsLasting(Time now, bool has_unfed) const;

 private:
  static constexpr uint64_t kMuch = 64 * 1024;
  // The most that the level can be, so that a pause of a second ends any flood.
  static constexpr uint64_t kMost = 2 * kMuch;
  static constexpr Duration kPause = std::chrono::seconds(1);
  static constexpr Duration kLong = std::chrono::seconds(1);

  Time began_;  // when level_ last rose above kMuch
  Time last_;
  uint64_t level_ = 0;  // in bytes, at most kMost
  uint64_t fed_ = 0;
};

}  // namespace glasstty::session

// Determines when the bytes of a session's log were printed, from its `events`.
//
// A value built from the records, without access to the log itself. Times are
// seconds since the session began, with the resolution of the holder's records
// (EventType::kTime): 50 ms, coarser for the oldest output of sessions that
// print for hours.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "terminal/snapshot.h"
#include "wire/session_files.h"

namespace glasstty::record {

class Timeline {
 public:
  struct Resize {
    uint64_t offset;
    terminal::Size size;
    double seconds;
  };
  struct Exit {
    int status;  // as waitpid(2) gives it
    double seconds;
  };
  // Output from `offset` on was printed at this time.
  struct Stretch {
    uint64_t offset;
    double seconds;
  };

  explicit Timeline(const std::vector<wire::EventRecord>& events);

  // Returns when the byte at `offset` was printed, or 0 if nothing is known.
  double SecondsAt(uint64_t offset) const;
  // Returns how many bytes had been printed by then; `end` if all had.
  uint64_t OffsetAt(double seconds, uint64_t end) const;
  // Converts a time of the monotonic clock to the same scale.
  double SecondsAt(Time time) const;

  // Ascending. The first size is the initial one.
  const std::vector<Resize>& resizes() const { return resizes_; }
  const std::vector<Stretch>& stretches() const { return stretches_; }
  const std::optional<Exit>& exit() const { return exit_; }

 private:
  // The first record's CLOCK_MONOTONIC time; 0: there are no records.
  uint64_t start_ns_ = 0;
  std::vector<Resize> resizes_;
  std::vector<Stretch> stretches_;
  std::optional<Exit> exit_;
};

// Reads the session with this directory; returns an empty timeline if it cannot
// be read.
Timeline ReadTimeline(int directory);

}  // namespace glasstty::record

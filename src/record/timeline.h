// When the bytes of a session's log were printed, from its `events`.
//
// A value made of the records; knows nothing of the log itself. Times are
// seconds since the session began. They are as exact as the holder writes them
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
  // Output from `offset` on was printed at that time.
  struct Stretch {
    uint64_t offset;
    double seconds;
  };

  explicit Timeline(const std::vector<wire::EventRecord>& events);

  // When the byte at `offset` was printed; the beginning when nothing is known.
  double SecondsAt(uint64_t offset) const;
  // How far the output had come: `end` when all of it was there.
  uint64_t OffsetAt(double seconds, uint64_t end) const;
  // The same scale for a moment of the monotonic clock.
  double SecondsAt(Time time) const;

  // Ascending. The first size is that of the beginning.
  const std::vector<Resize>& resizes() const { return resizes_; }
  const std::vector<Stretch>& stretches() const { return stretches_; }
  const std::optional<Exit>& exit() const { return exit_; }

 private:
  // CLOCK_MONOTONIC at the first record; 0: there is none.
  uint64_t start_ns_ = 0;
  std::vector<Resize> resizes_;
  std::vector<Stretch> stretches_;
  std::optional<Exit> exit_;
};

// Of the session with this directory; empty when it cannot be read.
Timeline ReadTimeline(int directory);

}  // namespace glasstty::record

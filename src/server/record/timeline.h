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

  // A person had the keyboard; a negative end: to the end of the session.
  struct Turn {
    double begin;
    double end;
  };
  // Somebody began to type, after a pause or after somebody else.
  struct Typed {
    double seconds;
    bool by_person;
  };

  explicit Timeline(const std::vector<wire::EventRecord>& events);

  // Returns when the byte at `offset` was printed, or 0 if nothing is known.
  double SecondsAt(uint64_t offset) const;
  // Returns how many bytes had been printed by this time; `end` if all had.
  uint64_t OffsetAt(double seconds, uint64_t end) const;
  // Converts a time of the monotonic clock to seconds since the session began.
  double SecondsAt(Time time) const;

  // Ascending. The first size is the initial one.
  const std::vector<Resize>& resizes() const { return resizes_; }
  const std::vector<Stretch>& stretches() const { return stretches_; }
  const std::optional<Exit>& exit() const { return exit_; }
  const std::vector<Turn>& turns() const { return turns_; }
  const std::vector<Typed>& typed() const { return typed_; }
  // The times when the connection to the program's machine was found broken.
  const std::vector<double>& breaks() const { return breaks_; }

 private:
  void TakeTurn(bool begins, double seconds);

  // The first record's CLOCK_MONOTONIC time; 0: there are no records.
  uint64_t start_ns_ = 0;
  std::vector<Resize> resizes_;
  std::vector<Stretch> stretches_;
  std::optional<Exit> exit_;
  std::vector<Turn> turns_;
  std::vector<Typed> typed_;
  std::vector<double> breaks_;
};

// Reads the session with this directory; returns an empty timeline if it cannot
// be read.
Timeline ReadTimeline(int directory);

}  // namespace glasstty::record

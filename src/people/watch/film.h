// Makes a film of a part of a recording: each screen that differs from the
// previous one, at most ten per second, with pauses of at most a second.
//
// Owns its terminal. Take must get all events of a recording
// (record/recording.h, record/cast.h) until it returns false. Single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "observe/timed_frame.h"
#include "record/cast.h"
#include "record/recording.h"
#include "record/saved_states.h"
#include "terminal/terminal.h"

namespace glasstty::watch {

class FilmMaker {
 public:
  // The maximum number of frames, because a larger file would be of no use.
  static constexpr size_t kMostFrames = 1000;

  // The part from `from` to `to`, in seconds since the recording began.
  FilmMaker(double from, double to);

  // For a session's recording, `start` is the beginning of its log, and `nonce`
  // is that of its shell's marks.
  absl::Status Begin(terminal::Size size, const std::string& nonce = "",
                     const record::LogStart* start = nullptr);
  // Returns false if no more events are needed.
  bool Take(const record::CastEvent& event);
  // Fails if Begin was not called, if a recorded size is invalid, or if the
  // part has more than kMostFrames different screens.
  absl::StatusOr<observe::Film> Finish();

 private:
  void Show(int64_t until_us);

  const int64_t from_us_;
  const int64_t to_us_;
  std::unique_ptr<terminal::Terminal> terminal_;
  absl::Status status_;
  observe::Film film_;
  // The time of the terminal's current screen, and the beginning of the next
  // frame.
  int64_t now_us_ = 0;
  int64_t next_us_;
};

// Returns the film of a session. Fails like Finish and PlayRecorded.
absl::StatusOr<observe::Film> FilmOf(const record::RecordedSession& session,
                                     double from, double to);

}  // namespace glasstty::watch

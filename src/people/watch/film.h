// A stretch of a recording as a film: each screen that differs from the one
// before, at most ten a second, without long pauses.
//
// Owns its terminal. Feed it with a recording from its beginning
// (record/recording.h, record/cast.h). Single thread.
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
  // More make a file that nobody wants to open.
  static constexpr size_t kMostFrames = 1000;

  // In seconds since the recording began.
  FilmMaker(double from, double to);

  // `start` is where a session's log begins, if it is one; `nonce` is that of
  // its shell's marks.
  absl::Status Begin(terminal::Size size, const std::string& nonce = "",
                     const record::LogStart* start = nullptr);
  // Returns false if it needs no more.
  bool Take(const record::CastEvent& event);
  // Error: the stretch has no screen or too many.
  absl::StatusOr<observe::Film> Finish();

 private:
  void Show(int64_t until_us);

  const int64_t from_us_;
  const int64_t to_us_;
  std::unique_ptr<terminal::Terminal> terminal_;
  absl::Status status_;
  observe::Film film_;
  // The screen is as it was at this time, and the next frame begins at that.
  int64_t now_us_ = 0;
  int64_t next_us_;
};

// Returns the film of a session. Error: see Finish and PlayRecorded.
absl::StatusOr<observe::Film> FilmOf(const record::RecordedSession& session,
                                     double from, double to);

}  // namespace glasstty::watch

// Runs `glasstty-picture` on one job.
//
// Its input and output are files in memory, so nothing has to be written or
// read while it runs; it has finished when its stderr is closed. It gets
// neither the server's environment nor its signals, and is killed when the run
// is destroyed. One thread.
#pragma once

#include <sys/types.h>

#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/fd.h"
#include "picture/job.h"
#include "support/cancellation.h"
#include "support/loop.h"
#include "support/task.h"

namespace glasstty::picture {

struct DrawnPicture {
  std::string png;
  int width = 0;  // pixels
  int height = 0;
  int px = 0;            // of the font
  terminal::Size shown;  // less than the frame where that is too large
  int missing = 0;       // glyphs that no font has
};

class PictureRun {
 public:
  // Longer than the program allows itself.
  static constexpr Duration kLimit = std::chrono::seconds(3);

  // Error: it is not installed, or could not be started.
  static absl::StatusOr<PictureRun> Start(const Job& job);
  PictureRun(PictureRun&& other) noexcept;
  PictureRun& operator=(PictureRun&&) = delete;
  ~PictureRun();

  // Readable when there is something to take.
  int fd() const { return messages_.get(); }
  // Takes what it said; true when it is over.
  bool Look();
  // REQUIRES: Look() was true, and Finish was not called; else it is killed.
  // Error: what it said, or how it died.
  absl::StatusOr<DrawnPicture> Finish();

 private:
  PictureRun() = default;
  // Returns waitpid's status.
  int End();

  pid_t pid_ = -1;
  UniqueFd png_;
  UniqueFd messages_;  // pipe
  std::string said_;
};

// Starts, waits and finishes; blocks for as long. For programs without a loop.
absl::StatusOr<DrawnPicture> DrawPng(const Job& job);
// The same while the loop goes on. `cancellation` may be null.
Task<absl::StatusOr<DrawnPicture>> DrawPngInLoop(Loop* loop, Job job,
                                                 Cancellation* cancellation);

}  // namespace glasstty::picture

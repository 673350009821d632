// Runs `glasstty-picture` on one job.
//
// Its input and output are files in memory, so nothing has to be written or
// read while it runs; it has finished when its stderr is closed. It inherits
// neither the server's environment nor its signal settings, and is killed when
// the run is destroyed. Single-threaded.
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
  terminal::Size shown;  // less than the frame if that is too large
  int missing = 0;       // glyphs that no font has
};

class PictureRun {
 public:
  // Exceeds the limit that the program sets itself.
  static constexpr Duration kLimit = std::chrono::seconds(3);
  static constexpr Duration kMovieLimit = std::chrono::seconds(61);

  // Error: the program is not installed, or could not be started.
  static absl::StatusOr<PictureRun> Start(const Job& job);
  // `work` is an encoded job or movie.
  static absl::StatusOr<PictureRun> Start(const std::string& work);
  PictureRun(PictureRun&& other) noexcept;
  PictureRun& operator=(PictureRun&&) = delete;
  ~PictureRun();

  // Readable if there is something to read.
  int fd() const { return messages_.get(); }
  // Reads its messages; returns true if it has finished.
  bool Look();
  // Returns the picture. REQUIRES: Finish was not called before. If Look() has
  // not returned true, the program is killed. The error has its message, or
  // says how it died.
  absl::StatusOr<DrawnPicture> Finish();

 private:
  PictureRun() = default;
  // Returns the status of waitpid(2).
  int End();

  pid_t pid_ = -1;
  UniqueFd png_;
  UniqueFd messages_;  // pipe
  std::string said_;
};

// Starts, waits and finishes, and blocks meanwhile. For programs without a
// loop.
absl::StatusOr<DrawnPicture> DrawPng(const Job& job);
// Draws an encoded movie (picture/movie.h), in its format.
absl::StatusOr<DrawnPicture> DrawMovie(const std::string& movie);
// Like DrawPng, but the loop continues. `cancellation` may be null.
Task<absl::StatusOr<DrawnPicture>> DrawPngInLoop(Loop* loop, Job job,
                                                 Cancellation* cancellation);

}  // namespace glasstty::picture

// Runs `glasstty-picture` on one job.
//
// The program's input and output are files in memory, so only its messages
// (stderr) have to be read while it runs. It has finished when its stderr is
// closed. It inherits only fontconfig's variables of the environment, and no
// signal settings. It is killed when the PictureRun is destroyed.
// Single-threaded.
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
  std::string png;  // the file: a PNG, or the movie
  int width = 0;    // in pixels
  int height = 0;
  int px = 0;            // the size of the font
  terminal::Size shown;  // smaller than the frame if the frame is too large
  int missing = 0;       // glyphs that no font has
};

class PictureRun {
 public:
  // These limits exceed those that the program sets itself.
  static constexpr Duration kLimit = std::chrono::seconds(3);
  static constexpr Duration kMovieLimit = std::chrono::seconds(61);

  // Fails if the program is not installed or cannot be started.
  static absl::StatusOr<PictureRun> Start(const Job& job);
  // `work` is an encoded job or movie.
  static absl::StatusOr<PictureRun> Start(const std::string& work);
  PictureRun(PictureRun&& other) noexcept;
  PictureRun& operator=(PictureRun&&) = delete;
  ~PictureRun();

  // The descriptor to poll: when it is readable, call Look.
  int fd() const { return messages_.get(); }
  // Reads the program's messages. Returns true if it has finished.
  bool Look();
  // Returns the picture. REQUIRES: Finish was not called before. Kills the
  // program if Look() has not returned true. The error contains the program's
  // message, or how it died.
  absl::StatusOr<DrawnPicture> Finish();

 private:
  PictureRun() = default;
  // Kills the program if it still runs, and returns the status of waitpid(2).
  int End();

  pid_t pid_ = -1;
  UniqueFd png_;
  UniqueFd messages_;  // a pipe from the program's stderr
  std::string said_;
};

// Runs the program and blocks until it has finished, or kLimit has passed
// without a message. For processes without a loop.
absl::StatusOr<DrawnPicture> DrawPng(const Job& job);
// Like DrawPng, for an encoded movie (picture/movie.h) and with kMovieLimit.
// The result is in the format of the movie.
absl::StatusOr<DrawnPicture> DrawMovie(const std::string& movie);
// Like DrawPng, but suspends the coroutine instead of blocking. `cancellation`
// may be null.
Task<absl::StatusOr<DrawnPicture>> DrawPngInLoop(Loop* loop, Job job,
                                                 Cancellation* cancellation);

}  // namespace glasstty::picture

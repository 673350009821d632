// Encodes the changes between the frames of a movie. Each file format has an
// implementation. Single-threaded.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "picture/canvas.h"

namespace glasstty::picture {

class MovieWriter {
 public:
  virtual ~MovieWriter() = default;

  // Adds the pixels of `box`, which are shown from the moment `at_us` of the
  // session on. The box of the first frame is the whole canvas.
  virtual absl::Status Add(const Canvas& canvas, const Box& box,
                           int64_t at_us) = 0;
  // Adds to the time for which the frame that was added last is shown.
  virtual void Show(int milliseconds) = 0;
  // Returns the file. Nothing may be added afterwards. REQUIRES: Add was
  // called.
  virtual absl::StatusOr<std::string> Finish() = 0;
};

// An animated PNG (the PNG specification, third edition), whose first frame is
// an ordinary PNG. No colour is lost. A text chunk "Moments" lists the times of
// the frames, in seconds since the session began.
std::unique_ptr<MovieWriter> NewApngWriter();

// A GIF (version 89a), which more programs can show. Each frame has a palette
// of its own, of at most 256 colours, and times are hundredths of a second.
std::unique_ptr<MovieWriter> NewGifWriter();

}  // namespace glasstty::picture

// What to draw and how, and its encoding as bytes, in which the server passes
// it to `glasstty-picture`.
//
// The encoding is text, so that a job can be written and read by hand; numbers
// are decimal.
//
//   glasstty-picture 1
//   ROWS COLS  CURSOR_ROW CURSOR_COL VISIBLE STYLE  REVERSE  LIGHT PX MAX_EDGE
//   FONT
//   then for each row its text, and its styles: COL COLS FG BG ATTRIBUTES ...
//
// Pure functions and plain values.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "observe/frame.h"

namespace glasstty::picture {

struct Options {
  // A family that fontconfig knows, or the path of a font; "": DejaVu Sans
  // Mono, which is part of the program.
  std::string font;
  // Pixels of the font; 0: 14, or 12 or 10 where max_edge needs it.
  int px = 0;
  // Pixels of width and height at most; what is beyond is left out, and the
  // part around the cursor stays. 0: no limit.
  int max_edge = 0;
  bool light = false;  // dark on white

  bool operator==(const Options&) const = default;
};
inline constexpr int kMinPx = 6;
inline constexpr int kMaxPx = 64;
// More tokens than pixels beyond it tell: clients and models scale such
// pictures down.
inline constexpr int kModelEdge = 1568;

struct Job {
  observe::Frame
      frame;  // of its modes the reverse screen and the cursor's style count
  Options options;

  bool operator==(const Job&) const = default;
};

std::string EncodeJob(const Job& job);
// Error: what is wrong with `bytes`; sizes are those that a terminal can have.
absl::StatusOr<Job> DecodeJob(std::string_view bytes);

}  // namespace glasstty::picture

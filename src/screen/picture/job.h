// A description of what to draw and how, and the encoding in which the server
// passes it to `glasstty-picture`.
//
// The encoding is text, so that a job can be written and read by hand; numbers
// are decimal.
//
//   glasstty-picture 1
//   ROWS COLS  CURSOR_ROW CURSOR_COL VISIBLE STYLE  REVERSE  LIGHT PX MAX_EDGE
//   FONT
//   then for each row its text, and its styles: COL COLS FG BG ATTRIBUTES ...
//   then, if there are any, all terminal::Joints: ROW COL BYTES COLS ...
//
// Pure functions and plain values.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "observe/frame.h"

namespace glasstty::picture {

struct Options {
  // A family that fontconfig knows, or the path of a font; "" is DejaVu Sans
  // Mono, which is compiled in.
  std::string font;
  // The font size in pixels. 0 means 14, or 12 or 10 if max_edge requires it.
  int px = 0;
  // The maximum width and height in pixels. A larger picture is cut to a part
  // that contains the cursor. 0 means no limit.
  int max_edge = 0;
  bool light = false;  // dark text on a white background

  bool operator==(const Options&) const = default;
};
inline constexpr int kMinPx = 6;
inline constexpr int kMaxPx = 64;
// Larger pictures cost more tokens without showing more, because clients and
// models scale them down.
inline constexpr int kModelEdge = 1568;

struct Job {
  observe::Frame frame;  // of its modes, only reverse screen and cursor style
                         // are used
  Options options;

  bool operator==(const Job&) const = default;
};

std::string EncodeJob(const Job& job);
// The error message describes what is wrong with `bytes`. Sizes must be valid
// for a terminal.
absl::StatusOr<Job> DecodeJob(std::string_view bytes);

}  // namespace glasstty::picture

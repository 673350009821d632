// A frame is everything that an observer of a terminal sees at one moment: the
// screen, the cursor and the modes. It is a plain value, compared with ==.
//
// Observers paint frames (painter.h) onto terminals of their own. They may
// change a frame first, to omit something or to show only a part. Pure
// functions; a frame may outlive its terminal.
#pragma once

#include <vector>

#include "terminal/modes.h"
#include "terminal/snapshot.h"

namespace glasstty::terminal {
class Terminal;
}  // namespace glasstty::terminal

namespace glasstty::observe {

struct Frame {
  terminal::Size size;
  terminal::Cursor cursor;
  terminal::Modes modes;
  std::vector<terminal::SnapshotRow> rows;  // size.rows of them

  bool operator==(const Frame&) const = default;
};

Frame FrameOf(terminal::Snapshot snapshot, const terminal::Modes& modes);
// Returns the current frame of `terminal`.
Frame TakeFrame(const terminal::Terminal& terminal);

// The upper left cell of a part of a screen, counted from 0.
struct Corner {
  int row = 0;
  int col = 0;

  bool operator==(const Corner&) const = default;
};

// Returns the corner of a window onto a larger screen. This is `before`, moved
// only as far as necessary so that the window contains the cursor and lies
// within the screen. REQUIRES: window.rows and window.cols are positive.
Corner CornerOf(const Frame& frame, terminal::Size window, Corner before);

// Returns the part of `frame` that begins at `corner` and is no larger than
// `window`. A split wide glyph becomes blank; a cursor outside is hidden.
// REQUIRES: `corner` is inside the frame.
Frame PartOf(const Frame& frame, terminal::Size window, Corner corner);

}  // namespace glasstty::observe

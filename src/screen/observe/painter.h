// Makes a person's terminal show what a terminal of a session shows.
//
//   std::string bytes = Paint(nullptr, now);    // for a new observer
//   bytes += Paint(&now, next);                 // what has changed since
//
// The bytes form one synchronized frame (DECSET 2026). They move the cursor,
// set its shape, write styled text, erase and scroll. They also set the modes
// that determine how the mouse and the keys are encoded, except for the
// keyboard protocols. They contain no control byte of a program, so titles,
// links, clipboard access, queries and bells are not passed on. Each paint sets
// the position and style at which it begins, and ends in the default style.
// Between two paints, the caller may therefore write elsewhere, such as to a
// status line, as long as it does not touch the rows of the frame or the
// margins. Margins are set only while rows scroll, and reset at the end.
//
// The frame is painted from the first row and column on. The terminal may be
// larger: for a new observer or a new size, all of it is erased; otherwise only
// the rows of the frame change. On a terminal that counts widths differently,
// at most the rows of the glyphs in question are garbled, provided that
// autowrap (DECSET 7) is off. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "observe/frame.h"

namespace glasstty::observe {

// Returns the bytes that turn a picture of `before` into one of `after`. If
// `before` is null, they work on any content. Returns "" if nothing has
// changed. Never longer than Paint(nullptr, after).
std::string Paint(const Frame* before, const Frame& after);

// Return the modes and the cursor of `frame` as a paint reproduces them. Modes
// that a paint does not set have their values after a reset. A wrap that is
// pending at a side margin, or after a wide glyph that has been erased, is not
// reproduced.
terminal::Modes PaintedModes(const Frame& frame);
terminal::Cursor PaintedCursor(const Frame& frame);

// Resets everything that paints set, except the content of the screen, and
// moves the cursor to the first row and column. A watcher writes this when it
// ends, even from a signal handler.
inline constexpr std::string_view kUnpaint =
    "\x1b[?2026l\x1b[m\x1b[r\x1b[?5l\x1b[20l\x1b[?1l\x1b>\x1b[?2004l"
    "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l"
    "\x1b[?12l\x1b[0 q\x1b[?25h";

}  // namespace glasstty::observe

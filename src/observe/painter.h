// Makes a terminal that glasstty controls show what another terminal shows.
//
//   std::string bytes = Paint(nullptr, now);    // for a newcomer
//   bytes += Paint(&now, next);                 // what has changed since
//
// The bytes say nothing but where the cursor is and how it looks, text, style,
// what is erased or scrolled, and the modes that decide how keys and the mouse
// are encoded, all of it in one frame (DECSET 2026). No control byte comes from
// a program: titles, links, the clipboard, questions and bells cannot pass.
// Each paint says itself where it begins and in which style, and ends in the
// default style: its caller may write elsewhere in between, as to a status
// line, and has to keep off the rows and the margins only. Margins are set
// while rows scroll, and nowhere at the end.
//
// What is painted begins in the first row and column. A larger terminal is
// erased as a whole for a newcomer or another size, and otherwise only
// in the rows of the frame. Terminals that count widths in another way garble
// the row of such a glyph at most, if their autowrap (DECSET 7) is off.
// Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "observe/frame.h"

namespace glasstty {

// What turns a picture of `before` into one of `after`; null: whatever is
// there. "" when nothing has changed. Never longer than Paint(nullptr, after).
std::string Paint(const Frame* before, const Frame& after);

// What a paint carries of the modes and of the cursor. All other modes are as
// after a reset; a wrap that is pending at a side margin, or behind a wide
// glyph that has gone, is not painted.
Modes PaintedModes(const Frame& frame);
Cursor PaintedCursor(const Frame& frame);

// Gives a terminal back as after a reset, except for its screen, with the
// cursor in the first row and column: what a watcher writes when it leaves,
// also from a signal handler.
inline constexpr std::string_view kUnpaint =
    "\x1b[?2026l\x1b[m\x1b[r\x1b[?5l\x1b[20l\x1b[?1l\x1b>\x1b[?2004l"
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l"
    "\x1b[?12l\x1b[0 q\x1b[?25h";

}  // namespace glasstty

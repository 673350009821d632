// Screens as JSON, for pages. Pure functions.
//
//   {"t": "screen", "whole": true, "size": [40, 120],
//    "rows": {"0": [["text ", 5], ["red", 3, [1, null, 0]]]},
//    "cursor": [0, 8, true, 0], "reverse": false, "mouse": false, ...}
//
// A row is a list of runs, a run its text, its columns and, unless it is the
// default, its style: [foreground, background, attributes]. Colours: null the
// default, 0 to 255 one of the palette, "#rrggbb". Attributes: StyleBits
// (terminal/cell.h). The cursor: row, column, whether it is visible, DECSCUSR.
#pragma once

#include "observe/frame.h"
#include "support/json.h"

namespace glasstty {

// What turns a picture of `before` into one of `after`; null: everything. An
// empty object when nothing has changed.
Json ScreenJson(const Frame* before, const Frame& after);

}  // namespace glasstty

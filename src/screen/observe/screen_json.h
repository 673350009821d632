// Screens as JSON, for web pages. Pure functions.
//
//   {"t": "screen", "whole": true, "size": [40, 120],
//    "rows": {"0": [["text ", 5], ["red", 3, [1, null, 0]]]},
//    "cursor": [0, 8, true, 0], "reverse": false, "mouse": false, ...}
//
// The optional member "wrapped": [1] lists which of these rows continue the row
// above. A row is a list of runs. A run is a list of its text, its number of
// columns and, unless the style is the default, its style: [foreground,
// background, attributes]. A colour is null (the default), 0 to 255 (the
// palette) or "#rrggbb". Attributes are StyleBits (terminal/cell.h). The cursor
// is a list of its row, its column, its visibility and its DECSCUSR shape.
#pragma once

#include "observe/frame.h"
#include "support/json.h"

namespace glasstty::observe {

// Returns the changes that turn a picture of `before` into one of `after`, or
// the whole screen if `before` is null or has another size. Returns an empty
// object if nothing has changed.
Json ScreenJson(const Frame* before, const Frame& after);
// Returns the runs of one row.
Json RowJson(const terminal::SnapshotRow& row, int cols);

}  // namespace glasstty::observe

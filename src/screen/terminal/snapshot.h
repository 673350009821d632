// The screen at one moment, as a value.
//
// A snapshot is copied from the grid, so it may outlive the terminal. Snapshots
// are compared with ==. Text and styles are separate because most readers want
// only the text. The columns of styles count cells, so a wide character takes
// two columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terminal/cell.h"

namespace glasstty::terminal {

struct Size {
  int rows = 40;
  int cols = 120;

  bool operator==(const Size&) const = default;
};

struct Cursor {
  int row = 0;  // 0-based
  int col = 0;
  bool visible = true;
  // A glyph is in the last column, and the next glyph will wrap.
  bool pending_wrap = false;

  bool operator==(const Cursor&) const = default;
};

// A run of cells with the same style, other than the default.
struct StyleRun {
  int col = 0;
  int cols = 0;
  Style style;

  bool operator==(const StyleRun&) const = default;
};

// A glyph whose width differs from that of its first code point, or that has
// other code points with a width, such as a flag or an emoji of several people.
struct Joint {
  int col = 0;
  int bytes = 0;  // its length in the row's text
  int cols = 0;

  bool operator==(const Joint&) const = default;
};

struct SnapshotRow {
  std::string text;  // UTF-8, trailing blanks trimmed
  std::vector<StyleRun> styles;
  bool wrapped = false;    // continues the row above
  bool concealed = false;  // some of the text is illegible on a screen
  bool changed = true;     // since the revision given to TakeSnapshot
  std::vector<Joint> joints;

  bool operator==(const SnapshotRow&) const = default;
};

struct Snapshot {
  Size size;
  Cursor cursor;
  bool alternate = false;
  uint64_t revision = 0;
  std::string title;
  std::vector<SnapshotRow> rows;  // size.rows of them

  bool operator==(const Snapshot&) const = default;
};

}  // namespace glasstty::terminal

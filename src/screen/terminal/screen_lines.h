// Reads the rows of a screen as lines, as a person does: a row that the
// terminal wrapped continues the line of the row above. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::terminal {

struct ScreenLine {
  size_t row = 0;  // the first of them
  // The text of each row begins at this byte of `text`.
  std::vector<size_t> begins;
  // As in a row, without the blanks at the end.
  std::string text;
  bool changed = false;  // one of the rows has

  // Returns true if `row` of the screen is a part of it.
  bool Has(int row_of_screen) const;
};

std::vector<ScreenLine> ScreenLines(const Snapshot& screen);

}  // namespace glasstty::terminal

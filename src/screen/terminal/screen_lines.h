// Joins the rows of a screen to lines: a row that the terminal has wrapped
// continues the line of the row above. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::terminal {

struct ScreenLine {
  size_t row = 0;  // the first row of the line
  // For each row of the line, the byte of `text` at which the row's text
  // begins.
  std::vector<size_t> begins;
  // The text of the whole line, without trailing blanks.
  std::string text;
  bool changed = false;  // one of the rows has changed

  // Returns true if the row of the screen is a part of this line.
  bool Has(int row_of_screen) const;
};

std::vector<ScreenLine> ScreenLines(const Snapshot& screen);

// Returns the text of the last row that is not blank; "" if all rows are blank.
std::string LastRow(const Snapshot& screen);

}  // namespace glasstty::terminal

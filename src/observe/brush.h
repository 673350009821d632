// Writes cells into a string for a terminal, using few bytes.
//
// Tracks the terminal's cursor and current style, and changes them only if
// necessary. Each brush writes one string; only the painter uses it.
#pragma once

#include <optional>
#include <string>

#include "observe/cells.h"
#include "terminal/cell.h"

namespace glasstty::observe {

// The SGR that makes the style `to` of `from` (null: of any).
std::string SgrBetween(const terminal::Style* from, const terminal::Style& to);

class Brush {
 public:
  // Places count from 0.
  // REQUIRES: of Put and the erasing: MoveTo was called before.
  void MoveTo(int row, int col);
  // MoveTo; cells between that are as they should be are written again where
  // that is shorter.
  void Reach(const PaintRow& cells, int row, int col);
  // The glyph at `col` of `cells`.
  void Put(const PaintRow& cells, int col);
  // From the cursor: to the end of the row, or so many columns.
  void EraseToEnd();
  void Erase(int count);
  // All of rows [0, rows), or of the screen.
  void EraseRows(int rows);
  void EraseAll();
  // Rows [top, bottom) up by `count`, or down if negative.
  void Scroll(int top, int bottom, int count);
  // Back to the default style.
  void Finish();

  const std::string& bytes() const { return bytes_; }

 private:
  void SetStyle(const terminal::Style& style);

  std::string bytes_;
  std::optional<terminal::Style> style_;  // nullopt: not known
  // Of the cursor; row -1: not known.
  int row_ = -1;
  int col_ = 0;
};

}  // namespace glasstty::observe

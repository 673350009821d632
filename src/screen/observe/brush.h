// Writes cells into a string for a terminal, using few bytes.
//
// Tracks the terminal's cursor and current style, and changes them only if
// necessary. Each brush writes one string. Only the painter uses brushes.
#pragma once

#include <optional>
#include <string>

#include "observe/cells.h"
#include "terminal/cell.h"

namespace glasstty::observe {

// Returns the SGR that changes the style `from` (null: an unknown style) to
// `to`.
std::string SgrBetween(const terminal::Style* from, const terminal::Style& to);

class Brush {
 public:
  // Positions count from 0. Put, EraseToEnd and Erase REQUIRE that the cursor
  // is at the first of their cells.
  void MoveTo(int row, int col);
  // Like MoveTo, but may write the cells between the cursor and `col` once more
  // if that takes no more bytes. REQUIRES: the terminal already shows these
  // cells.
  void Reach(const PaintRow& cells, int row, int col);
  // Writes the glyph at `col` of `cells` at the cursor.
  void Put(const PaintRow& cells, int col);
  // Erase the cells from the cursor to the end of the row, or `count` cells.
  void EraseToEnd();
  void Erase(int count);
  // Erase rows [0, rows) in their whole width, or the whole screen.
  void EraseRows(int rows);
  void EraseAll();
  // Scrolls rows [top, bottom) up by `count`, or down if `count` is negative.
  void Scroll(int top, int bottom, int count);
  // Returns to the default style.
  void Finish();

  const std::string& bytes() const { return bytes_; }

 private:
  void SetStyle(const terminal::Style& style);

  std::string bytes_;
  std::optional<terminal::Style> style_;  // nullopt if unknown
  // The cursor's position; row_ is -1 if it is unknown.
  int row_ = -1;
  int col_ = 0;
};

}  // namespace glasstty::observe

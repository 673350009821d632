// Characters that glasstty draws itself, because they must meet their
// neighbours without a gap, whatever the font: lines, blocks, sextants, braille
// and the separators of status lines (U+E0B0 and following).
//
// Pure functions.
#pragma once

#include <vector>

namespace glasstty::picture {

struct Point {
  double x = 0;
  double y = 0;
};

// A filled polygon in pixels of the cell, clipped to the cell.
struct Piece {
  std::vector<Point> points;
  int alpha = 255;  // lower for shades

  // Returns whether it is an upright rectangle whose sides are between pixels.
  bool IsRect() const;
};

// The size of a cell in pixels, which determines the thickness of lines.
struct CellSize {
  int width = 8;
  int height = 17;
};

// Returns an empty list if a font has to draw the character, or nothing is
// visible.
std::vector<Piece> ShapeOf(char32_t c, CellSize cell);
// Returns whether ShapeOf draws the character.
bool HasShape(char32_t c);

}  // namespace glasstty::picture

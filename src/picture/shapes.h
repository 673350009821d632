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

// A filled polygon in pixels of the cell; what is outside of the cell is cut
// off.
struct Piece {
  std::vector<Point> points;
  int alpha = 255;  // shades are less

  // An upright rectangle whose sides lie between pixels.
  bool IsRect() const;
};

// The cell in pixels. The thickness of lines follows from them.
struct CellSize {
  int width = 8;
  int height = 17;
};

// Empty: a font has to draw this one, or nothing is to be seen.
std::vector<Piece> ShapeOf(char32_t c, CellSize cell);
// Whether ShapeOf draws it.
bool HasShape(char32_t c);

}  // namespace glasstty::picture

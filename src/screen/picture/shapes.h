// Characters that glasstty draws itself, because they must join their
// neighbours without a gap in every font: lines, blocks, sextants, braille and
// the separators of status lines (U+E0B0 and following).
//
// Pure functions.
#pragma once

#include <vector>

namespace glasstty::picture {

struct Point {
  double x = 0;
  double y = 0;
};

// A filled polygon in pixels of the cell. Drawing must clip it to the cell.
struct Piece {
  std::vector<Point> points;
  int alpha = 255;  // lower for the shade characters

  // Returns true if the piece is an upright rectangle whose sides lie on pixel
  // boundaries.
  bool IsRect() const;
};

// The size of a cell in pixels, which determines the thickness of lines.
struct CellSize {
  int width = 8;
  int height = 17;
};

// Returns the pieces that form the character. Returns an empty list if a font
// has to draw it, or if nothing is visible.
std::vector<Piece> ShapeOf(char32_t c, CellSize cell);
// Returns true if ShapeOf draws the character.
bool HasShape(char32_t c);

}  // namespace glasstty::picture

// All shapes end at whole pixels, except for round corners, slanted lines and
// separators. Two rules make neighbours join: the position of a line depends
// only on the size of the cell, never on the character; and where a cell is
// divided, both sides round the same number.
#include "picture/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace glasstty::picture {
namespace {

using Pieces = std::vector<Piece>;

// Returns the corners clockwise from the upper left.
Piece Rect(double left, double top, double right, double bottom,
           int alpha = 255) {
  return {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}, alpha};
}

void AddRect(double left, double top, double right, double bottom,
             Pieces* out) {
  if (left < right && top < bottom) {
    out->push_back(Rect(left, top, right, bottom));
  }
}

// --- lines: U+2500 to U+257F ---

// The weight of an arm, as in the digits of kArms.
enum Weight { kNone, kLine, kHeavy, kDouble };

// The weights of the arms to the left, right, up and down, as four digits; 0 if
// the character does not consist of arms.
constexpr uint16_t kArms[] = {
    1100, 2200, 11,   22,   0,    0,    0,    0,     // 2500
    0,    0,    0,    0,    101,  201,  102,  202,   // 2508
    1001, 2001, 1002, 2002, 110,  210,  120,  220,   // 2510
    1010, 2010, 1020, 2020, 111,  211,  121,  112,   // 2518
    122,  221,  212,  222,  1011, 2011, 1021, 1012,  // 2520
    1022, 2021, 2012, 2022, 1101, 2101, 1201, 2201,  // 2528
    1102, 2102, 1202, 2202, 1110, 2110, 1210, 2210,  // 2530
    1120, 2120, 1220, 2220, 1111, 2111, 1211, 2211,  // 2538
    1121, 1112, 1122, 2121, 1221, 2112, 1212, 2221,  // 2540
    2212, 2122, 1222, 2222, 0,    0,    0,    0,     // 2548
    3300, 33,   301,  103,  303,  3001, 1003, 3003,  // 2550
    310,  130,  330,  3010, 1030, 3030, 311,  133,   // 2558
    333,  3011, 1033, 3033, 3301, 1103, 3303, 3310,  // 2560
    1130, 3330, 3311, 1133, 3333, 0,    0,    0,     // 2568
    0,    0,    0,    0,    1000, 10,   100,  1,     // 2570
    2000, 20,   200,  2,    1200, 12,   2100, 21,    // 2578
};

// Returns the thickness of light lines: one pixel in the usual size, and two
// from a cell height of 26 pixels on.
int Thin(CellSize cell) { return std::max(1, (cell.height + 8) / 17); }

// A direction of the cell, from left to right or from top to bottom. Arms are
// drawn along the axis, and their ends depend on the lines across it.
struct Axis {
  int length;  // the length of the cell along the axis
  int middle;  // where a thin line across the axis begins, measured along it
  int cross;   // where a thin line along the axis begins, measured across it
  int thin;
  bool is_upright;

  // Adds a rectangle from `begin` to `end` along the axis, and from `from` to
  // `to` across it.
  void Add(int begin, int end, int from, int to, Pieces* out) const {
    if (is_upright) {
      AddRect(from, begin, to, end, out);
    } else {
      AddRect(begin, from, end, to, out);
    }
  }
};

// Returns the thickness of a line, or of each of the two lines of a double one.
int Thickness(int weight, int thin) {
  return weight == kHeavy ? 2 * thin : thin;
}

// The positions at which an arm may end. An arm leads from an edge of the cell
// to the lines across it in the middle. Of a double line, the near one is
// closer to that edge.
struct Ends {
  int near;    // at the inner edge of the near line
  int middle;  // beyond a single line
  int far;     // beyond the far line
};
// `sign` is -1 for the left or upper arm, which begins at 0, and 1 for the
// other one. `across` is the heavier weight across the axis; a double line
// counts as kLine.
Ends EndsOf(const Axis& axis, int sign, int across) {
  int thick = Thickness(across, axis.thin);
  int low = axis.middle - (thick - axis.thin) / 2;
  if (sign < 0) {
    return {axis.middle, low + thick, axis.middle + 2 * axis.thin};
  }
  return {axis.middle + axis.thin, low, axis.middle - axis.thin};
}

// Adds one arm of `weight`. `opposite` is the weight of the arm that continues
// it beyond the middle. `low` and `high` are the weights of the arms across it,
// to the left or up, and to the right or down.
void AddArm(const Axis& axis, int sign, int weight, int opposite, int low,
            int high, Pieces* out) {
  if (weight == kNone) return;
  auto add = [&](int end, int from, int to) {
    axis.Add(sign < 0 ? 0 : end, sign < 0 ? end : axis.length, from, to, out);
  };
  bool low_double = low == kDouble, high_double = high == kDouble;
  int across = low == kHeavy || high == kHeavy ? kHeavy : kLine;
  if (low == kNone && high == kNone && weight == kHeavy) across = kHeavy;
  Ends ends = EndsOf(axis, sign, across);
  if (weight != kDouble) {
    int thick = Thickness(weight, axis.thin);
    int from = axis.cross - (thick - axis.thin) / 2;
    int end = ends.middle;
    if (opposite == kNone && low_double && high_double) {
      end = ends.near;
    } else if (opposite == kNone && (low_double || high_double)) {
      end = ends.far;
    }
    return add(end, from, from + thick);
  }
  // Each line of a double arm ends at the near line of a double arm on its own
  // side. If only the other side has a double arm, the line continues to the
  // far one, around the corner.
  auto end_of = [&](int own, int other) {
    if (own == kDouble) return ends.near;
    return own == kNone && other == kDouble ? ends.far : ends.middle;
  };
  add(end_of(low, high), axis.cross - axis.thin, axis.cross);
  add(end_of(high, low), axis.cross + axis.thin, axis.cross + 2 * axis.thin);
}

// Adds all four arms, each up to the end that the arms across it require.
Pieces Arms(int digits, CellSize cell) {
  int left = digits / 1000, right = digits / 100 % 10;
  int up = digits / 10 % 10, down = digits % 10;
  int thin = Thin(cell);
  int x = (cell.width - thin) / 2, y = (cell.height - thin) / 2;
  Axis level = {cell.width, x, y, thin, false};
  Axis upright = {cell.height, y, x, thin, true};
  Pieces pieces;
  AddArm(level, -1, left, right, up, down, &pieces);
  AddArm(level, 1, right, left, up, down, &pieces);
  AddArm(upright, -1, up, down, left, right, &pieces);
  AddArm(upright, 1, down, up, left, right, &pieces);
  return pieces;
}

// The characters with two, three or four dashes: U+2504 to 250B, 254C to 254F.
struct DashRow {
  char32_t first;  // level light, level heavy, upright light, upright heavy
  int count;
};
constexpr DashRow kDashes[] = {{0x2504, 3}, {0x2508, 4}, {0x254C, 2}};

// Each part ends with a gap, so that dashes of neighbours do not touch.
Pieces Dashes(int count, bool heavy, bool is_upright, CellSize cell) {
  int thin = Thin(cell), thick = heavy ? 2 * thin : thin;
  int length = is_upright ? cell.height : cell.width;
  int cross = ((is_upright ? cell.width : cell.height) - thin) / 2;
  Axis axis = {length, 0, cross, thin, is_upright};
  Pieces pieces;
  int gap = std::max(1, length / (3 * count));
  for (int i = 0; i < count; ++i) {
    int begin = i * length / count, end = (i + 1) * length / count - gap;
    int from = cross - (thick - thin) / 2;
    axis.Add(begin, std::max(end, begin + 1), from, from + thick, &pieces);
  }
  return pieces;
}

// Returns a line of thickness `thick` along `path`, as a polygon.
Piece Stroke(const std::vector<Point>& path, double thick) {
  std::vector<Point> there, back;
  for (size_t i = 0; i < path.size(); ++i) {
    const Point& a = path[i > 0 ? i - 1 : 0];
    const Point& b = path[std::min(i + 1, path.size() - 1)];
    double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-9);
    double nx = -(b.y - a.y) / length * thick / 2;
    double ny = (b.x - a.x) / length * thick / 2;
    there.push_back({path[i].x + nx, path[i].y + ny});
    back.push_back({path[i].x - nx, path[i].y - ny});
  }
  there.insert(there.end(), back.rbegin(), back.rend());
  return {there, 255};
}

constexpr double kPi = 3.14159265358979323846;

// Returns an arc of an ellipse. Angles are in units of 90 degrees, clockwise
// from the right.
std::vector<Point> Arc(Point center, double rx, double ry, double from,
                       double to) {
  constexpr int kSteps = 12;
  std::vector<Point> points;
  for (int i = 0; i <= kSteps; ++i) {
    double angle = (from + (to - from) * i / kSteps) * kPi / 2;
    points.push_back(
        {center.x + rx * std::cos(angle), center.y + ry * std::sin(angle)});
  }
  return points;
}

// Draws U+256D to 2570: corners to the lower right, lower left, upper left,
// upper right.
Pieces RoundCorner(int which, CellSize cell) {
  int thin = Thin(cell);
  int left = (cell.width - thin) / 2, top = (cell.height - thin) / 2;
  double x = left + thin / 2.0, y = top + thin / 2.0;
  bool to_right = which == 0 || which == 3, down = which < 2;
  double edge_x = to_right ? cell.width : 0, edge_y = down ? cell.height : 0;
  // The last pixel is straight, so that it joins the neighbour's line.
  double radius =
      std::max(0.5, std::min(std::abs(edge_x - x), std::abs(edge_y - y)) - 1);
  Point center = {x + (to_right ? radius : -radius),
                  y + (down ? radius : -radius)};
  // The arc leads from the upright line to the level one.
  double from = to_right ? 2 : 0;
  double to = down ? (to_right ? 3 : -1) : 1;
  std::vector<Point> path = {{x, edge_y}};
  std::vector<Point> arc = Arc(center, radius, radius, from, to);
  path.insert(path.end(), arc.begin(), arc.end());
  path.push_back({edge_x, y});
  return {Stroke(path, thin)};
}

// Draws a strip from corner to corner. Clipped to the cell, it has six corners,
// and joins the strip of the next cell.
Pieces Diagonals(bool rising, bool falling, CellSize cell) {
  double w = cell.width, h = cell.height;
  double half = Thin(cell) / 2.0 * std::hypot(w, h);
  // The strip extends from a corner by these lengths along both sides.
  double x = half / h, y = half / w;
  Pieces pieces;
  if (rising) {
    pieces.push_back(
        {{{0, h}, {0, h - y}, {w - x, 0}, {w, 0}, {w, y}, {x, h}}, 255});
  }
  if (falling) {
    pieces.push_back(
        {{{0, 0}, {x, 0}, {w, h - y}, {w, h}, {w - x, h}, {0, y}}, 255});
  }
  return pieces;
}

Pieces Line(char32_t c, CellSize cell) {
  if (int digits = kArms[c - 0x2500]; digits != 0) return Arms(digits, cell);
  for (const DashRow& row : kDashes) {
    if (c < row.first || c >= row.first + 4) continue;
    auto kind = static_cast<int>(c - row.first);
    return Dashes(row.count, kind % 2 == 1, kind >= 2, cell);
  }
  if (c >= 0x256D && c <= 0x2570) {
    return RoundCorner(static_cast<int>(c - 0x256D), cell);
  }
  return Diagonals(c != 0x2572, c != 0x2571, cell);
}

// --- blocks: U+2580 to U+259F, sextants, braille ---

// Divides `size` pixels into `parts` fields without gaps, and returns the pixel
// at which field `part` begins.
int Cut(int size, int part, int parts) {
  return (size * part + parts / 2) / parts;
}

// Draws fields of a cell that is divided into `cols` by `rows` fields. The bits
// of `mask` select them, from the upper left.
Pieces Fields(unsigned mask, int cols, int rows, CellSize cell) {
  Pieces pieces;
  for (int i = 0; i < cols * rows; ++i) {
    if ((mask >> i & 1) == 0) continue;
    int col = i % cols, row = i / cols;
    AddRect(Cut(cell.width, col, cols), Cut(cell.height, row, rows),
            Cut(cell.width, col + 1, cols), Cut(cell.height, row + 1, rows),
            &pieces);
  }
  return pieces;
}

// Bits of the upper left, upper right, lower left and lower right, for U+2596
// to 259F.
constexpr unsigned kQuadrants[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};

// Draws eighths from below and from the left, shades, and quadrants.
Pieces Block(char32_t c, CellSize cell) {
  int w = cell.width, h = cell.height;
  auto n = static_cast<int>(c - 0x2580);
  if (n == 0) return {Rect(0, 0, w, Cut(h, 1, 2))};
  if (n <= 8) return {Rect(0, std::min(h - 1, Cut(h, 8 - n, 8)), w, h)};
  if (n <= 15) return {Rect(0, 0, std::max(1, Cut(w, 16 - n, 8)), h)};
  if (n == 16) return {Rect(Cut(w, 1, 2), 0, w, h)};
  if (n <= 19) return {Rect(0, 0, w, h, (n - 16) * 64)};
  if (n == 20) return {Rect(0, 0, w, std::max(1, Cut(h, 1, 8)))};
  if (n == 21) return {Rect(std::min(w - 1, Cut(w, 7, 8)), 0, w, h)};
  return Fields(kQuadrants[n - 22], 2, 2, cell);
}

// U+1FB00 and following are all patterns except the empty one, the full one and
// the left and right halves, which are older characters.
Pieces Sextant(char32_t c, CellSize cell) {
  unsigned mask = c - 0x1FB00 + 1;
  if (mask >= 0b010101) ++mask;
  if (mask >= 0b101010) ++mask;
  return Fields(mask, 2, 3, cell);
}

// Each bit of the character is a dot: 1 2 3 down the left, 4 5 6 down the
// right, then 7 and 8 below.
Pieces Braille(char32_t c, CellSize cell) {
  constexpr int kCol[] = {0, 0, 0, 1, 1, 1, 0, 1};
  constexpr int kRow[] = {0, 1, 2, 0, 1, 2, 3, 3};
  int dot = std::max(1, cell.width / 4);
  Pieces pieces;
  for (int i = 0; i < 8; ++i) {
    if ((c >> i & 1) == 0) continue;
    int x = std::min(Cut(cell.width, 2 * kCol[i] + 1, 4) - dot / 2,
                     cell.width - dot);
    int y = std::min(Cut(cell.height, 2 * kRow[i] + 1, 8) - dot / 2,
                     cell.height - dot);
    AddRect(x, y, x + dot, y + dot, &pieces);
  }
  return pieces;
}

// --- separators of status lines: U+E0B0 to U+E0BF ---

// Characters with even numbers are filled, and those with odd numbers are their
// outlines.
Pieces Separator(char32_t c, CellSize cell) {
  double w = cell.width, h = cell.height, thin = Thin(cell);
  switch (c) {
    case 0xE0B0:
      return {{{{0, 0}, {w, h / 2}, {0, h}}, 255}};
    case 0xE0B1:
      return {Stroke({{0, 0}, {w - thin, h / 2}, {0, h}}, thin)};
    case 0xE0B2:
      return {{{{w, 0}, {0, h / 2}, {w, h}}, 255}};
    case 0xE0B3:
      return {Stroke({{w, 0}, {thin, h / 2}, {w, h}}, thin)};
    case 0xE0B4:
      return {{Arc({0, h / 2}, w, h / 2, -1, 1), 255}};
    case 0xE0B5:
      return {Stroke(Arc({0, h / 2}, w - thin, h / 2, -1, 1), thin)};
    case 0xE0B6:
      return {{Arc({w, h / 2}, w, h / 2, 1, 3), 255}};
    case 0xE0B7:
      return {Stroke(Arc({w, h / 2}, w - thin, h / 2, 1, 3), thin)};
    case 0xE0B8:
      return {{{{0, 0}, {w, h}, {0, h}}, 255}};
    case 0xE0BA:
      return {{{{w, 0}, {w, h}, {0, h}}, 255}};
    case 0xE0BC:
      return {{{{0, 0}, {w, 0}, {0, h}}, 255}};
    case 0xE0BE:
      return {{{{0, 0}, {w, 0}, {w, h}}, 255}};
    case 0xE0B9:
    case 0xE0BF:
      return Diagonals(false, true, cell);
    default:
      return Diagonals(true, false, cell);
  }
}

// Draws the scan lines of the VT100's line drawing, U+23BA to 23BD.
Pieces ScanLine(char32_t c, CellSize cell) {
  constexpr int kEighths[] = {0, 2, 6, 8};
  int thin = Thin(cell);
  int y = (cell.height - thin) * kEighths[c - 0x23BA] / 8;
  return {Rect(0, y, cell.width, y + thin)};
}

// A range of characters that one function draws. Another range needs only
// another row.
struct ShapeRow {
  char32_t first, last;
  Pieces (*draw)(char32_t, CellSize);
};
constexpr ShapeRow kShapes[] = {
    {0x23BA, 0x23BD, ScanLine},  {0x2500, 0x257F, Line},
    {0x2580, 0x259F, Block},     {0x2800, 0x28FF, Braille},
    {0xE0B0, 0xE0BF, Separator}, {0x1FB00, 0x1FB3B, Sextant},
};

const ShapeRow* FindShape(char32_t c) {
  for (const ShapeRow& row : kShapes) {
    if (c >= row.first && c <= row.last) return &row;
  }
  return nullptr;
}

}  // namespace

// Rectangles are filled without sampling.
bool Piece::IsRect() const {
  auto whole = [](double v) { return v == std::floor(v); };
  return points.size() == 4 && points[0].y == points[1].y &&
         points[1].x == points[2].x && points[2].y == points[3].y &&
         points[3].x == points[0].x &&
         std::all_of(points.begin(), points.end(), [&](const Point& point) {
           return whole(point.x) && whole(point.y);
         });
}

std::vector<Piece> ShapeOf(char32_t c, CellSize cell) {
  const ShapeRow* row = FindShape(c);
  return row != nullptr ? row->draw(c, cell) : Pieces();
}

bool HasShape(char32_t c) { return FindShape(c) != nullptr; }

}  // namespace glasstty::picture

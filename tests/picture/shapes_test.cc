// Tests that lines and blocks meet those of neighbouring cells without a gap.
#include "picture/shapes.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "picture/canvas.h"

namespace glasstty::picture {
namespace {

constexpr CellSize kCells[] = {{6, 12}, {7, 15}, {8, 17}, {10, 19}, {17, 34}};

// Draws the cell alone, white on black.
Canvas DrawCell(char32_t c, CellSize cell) {
  Canvas canvas(cell.width, cell.height, 0);
  for (const Piece& piece : ShapeOf(c, cell)) {
    canvas.Draw(piece, {0, 0, cell.width, cell.height}, 0xFFFFFF);
  }
  return canvas;
}

enum Edge { kLeft, kRight, kTop, kBottom };

// Returns which pixels of an edge are painted.
std::set<int> Painted(const Canvas& canvas, Edge edge) {
  std::set<int> painted;
  bool is_upright = edge == kLeft || edge == kRight;
  int length = is_upright ? canvas.height() : canvas.width();
  for (int i = 0; i < length; ++i) {
    int x = edge == kLeft ? 0 : edge == kRight ? canvas.width() - 1 : i;
    int y = edge == kTop ? 0 : edge == kBottom ? canvas.height() - 1 : i;
    if (canvas.At(x, y) != 0) painted.insert(i);
  }
  return painted;
}

// Counts groups of pixels that touch, also at corners.
int Groups(const Canvas& canvas) {
  std::set<std::pair<int, int>> left;
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) {
      if (canvas.At(x, y) != 0) left.insert({x, y});
    }
  }
  int groups = 0;
  while (!left.empty()) {
    ++groups;
    std::vector<std::pair<int, int>> open = {*left.begin()};
    left.erase(left.begin());
    while (!open.empty()) {
      auto [x, y] = open.back();
      open.pop_back();
      for (int i = 0; i < 9; ++i) {
        auto found = left.find({x + i % 3 - 1, y + i / 3 - 1});
        if (found == left.end()) continue;
        open.push_back(*found);
        left.erase(found);
      }
    }
  }
  return groups;
}

// These lines reach each edge as none, light, heavy or double.
TEST(Shapes, LinesOfOneWeightLeaveACellWhereTheNextOneBegins) {
  struct Row {
    char32_t level, upright;
    std::u32string to_right, to_left, up, down;
  };
  const Row rows[] = {
      {U'─', U'│', U"┌└├┬┴┼╭╰╓╙╟╥╨╫┎┖┞╶╾", U"┐┘┤┬┴┼╮╯╖╜╢╥╨╫┒┚┦╴╼",
       U"└┘├┤┴┼╰╯╘╛╞╡╧╪┕┙┝╵╽", U"┌┐├┤┬┼╭╮╒╕╞╡╤╪┍┑┝╷╿"},
      {U'━', U'┃', U"┏┗┣┳┻╋┍┕┝╺╼", U"┓┛┫┳┻╋┑┙┥╸╾", U"┗┛┣┫┻╋┖┚┞╹╿",
       U"┏┓┣┫┳╋┎┒┟╻╽"},
      {U'═', U'║', U"╔╚╠╦╩╬╒╘╞╤╧╪", U"╗╝╣╦╩╬╕╛╡╤╧╪", U"╚╝╠╣╩╬╙╜╟╢╨╫",
       U"╔╗╠╣╦╬╓╖╟╢╥╫"},
  };
  for (CellSize cell : kCells) {
    for (const Row& row : rows) {
      std::set<int> level = Painted(DrawCell(row.level, cell), kRight);
      std::set<int> upright = Painted(DrawCell(row.upright, cell), kTop);
      ASSERT_FALSE(level.empty());
      ASSERT_FALSE(upright.empty());
      auto expect = [&](const std::u32string& characters, Edge edge,
                        const std::set<int>& pixels) {
        for (char32_t c : characters) {
          EXPECT_EQ(Painted(DrawCell(c, cell), edge), pixels)
              << "U+" << std::hex << static_cast<uint32_t>(c) << std::dec
              << " edge " << edge << " in " << cell.width << "x" << cell.height;
        }
      };
      expect(std::u32string(1, row.level), kLeft, level);
      expect(std::u32string(1, row.upright), kBottom, upright);
      expect(row.to_right, kRight, level);
      expect(row.to_left, kLeft, level);
      expect(row.up, kTop, upright);
      expect(row.down, kBottom, upright);
    }
  }
}

TEST(Shapes, ArmsMeetInTheMiddleOfTheCell) {
  for (CellSize cell : kCells) {
    for (char32_t c = 0x250C; c <= 0x254B; ++c) {
      EXPECT_EQ(Groups(DrawCell(c, cell)), 1)
          << "U+" << std::hex << static_cast<uint32_t>(c);
    }
    for (char32_t c = 0x256D; c <= 0x2570; ++c) {
      EXPECT_EQ(Groups(DrawCell(c, cell)), 1)
          << "U+" << std::hex << static_cast<uint32_t>(c);
    }
  }
}

TEST(Shapes, DoubleLinesFormRingsAndDoNotCloseThem) {
  // The number of separate parts of a double line: ═ has two, ╬ four corners.
  const std::map<char32_t, int> groups = {
      {U'═', 2}, {U'║', 2}, {U'╔', 2}, {U'╗', 2}, {U'╚', 2}, {U'╝', 2},
      {U'╠', 3}, {U'╣', 3}, {U'╦', 3}, {U'╩', 3}, {U'╬', 4}, {U'╒', 1},
      {U'╓', 1}, {U'╞', 1}, {U'╡', 1}, {U'╥', 1}, {U'╨', 1}, {U'╪', 1},
      {U'╫', 1}, {U'╟', 2}, {U'╢', 2}, {U'╤', 2}, {U'╧', 2}, {U'╛', 1},
      {U'╜', 1}, {U'╕', 1}, {U'╖', 1}, {U'╘', 1}, {U'╙', 1},
  };
  // In narrow cells, inner corners may touch at a point.
  CellSize cell = {17, 34};
  for (auto [c, count] : groups) {
    EXPECT_EQ(Groups(DrawCell(c, cell)), count)
        << "U+" << std::hex << static_cast<uint32_t>(c);
  }
}

// Returns how often each pixel is painted by some characters together.
std::vector<int> Coverage(const std::u32string& characters, CellSize cell) {
  std::vector<int> counts(static_cast<size_t>(cell.width * cell.height));
  for (char32_t c : characters) {
    Canvas canvas = DrawCell(c, cell);
    for (size_t i = 0; i < counts.size(); ++i) {
      if (canvas.pixels()[i] == 0xFFFFFF) ++counts[i];
    }
  }
  return counts;
}

TEST(Shapes, BlocksAndTheirCounterpartsCoverEachPixelOnce) {
  const std::u32string wholes[] = {
      U"█",  U"▀▄", U"▌▐", U"▘▝▖▗", U"▚▞",
      U"▙▝", U"▛▗", U"▜▖", U"▟▘",   U"\U0001FB00\U0001FB3B"};
  for (CellSize cell : kCells) {
    for (const std::u32string& whole : wholes) {
      std::vector<int> all(static_cast<size_t>(cell.width * cell.height), 1);
      EXPECT_EQ(Coverage(whole, cell), all)
          << cell.width << "x" << cell.height << " U+" << std::hex
          << static_cast<uint32_t>(whole[0]);
    }
  }
}

TEST(Shapes, EighthsGrow) {
  for (CellSize cell : kCells) {
    size_t before = 0;
    for (char32_t c = U'▁'; c <= U'█'; ++c) {
      size_t rows = Painted(DrawCell(c, cell), kLeft).size();
      EXPECT_GT(rows, before);
      before = rows;
    }
    for (char32_t c = U'█'; c < U'▏'; ++c) {
      EXPECT_GE(Painted(DrawCell(c, cell), kTop).size(),
                Painted(DrawCell(c + 1, cell), kTop).size());
    }
  }
}

TEST(Shapes, AllSextantsAreDifferent) {
  std::set<std::vector<Rgb>> seen;
  for (char32_t c = 0x1FB00; c <= 0x1FB3B; ++c) {
    seen.insert(DrawCell(c, {8, 18}).pixels());
  }
  EXPECT_EQ(seen.size(), 60u);
  EXPECT_FALSE(seen.contains(DrawCell(U'▌', {8, 18}).pixels()));
  EXPECT_FALSE(seen.contains(DrawCell(U'▐', {8, 18}).pixels()));
}

TEST(Shapes, BrailleHasADotForEachBit) {
  for (CellSize cell : kCells) {
    for (int bits = 0; bits < 256; ++bits) {
      Canvas canvas = DrawCell(static_cast<char32_t>(0x2800 + bits), cell);
      EXPECT_EQ(Groups(canvas),
                __builtin_popcount(static_cast<unsigned>(bits)));
    }
  }
}

TEST(Shapes, SeparatorsFillTheirEdgeOfTheCell) {
  for (CellSize cell : kCells) {
    auto all = static_cast<size_t>(cell.height);
    EXPECT_EQ(Painted(DrawCell(0xE0B0, cell), kLeft).size(), all);
    EXPECT_EQ(Painted(DrawCell(0xE0B2, cell), kRight).size(), all);
    EXPECT_EQ(Painted(DrawCell(0xE0B4, cell), kLeft).size(), all);
    EXPECT_EQ(Painted(DrawCell(0xE0B6, cell), kRight).size(), all);
  }
}

TEST(Shapes, EachIsDrawnWithinItsCellInAnySize) {
  for (CellSize cell : {CellSize{2, 4}, CellSize{3, 5}, CellSize{40, 77}}) {
    for (auto [first, last] : {std::pair<char32_t, char32_t>{0x23BA, 0x23BD},
                               {0x2500, 0x259F},
                               {0x2801, 0x28FF},
                               {0xE0B0, 0xE0BF},
                               {0x1FB00, 0x1FB3B}}) {
      for (char32_t c = first; c <= last; ++c) {
        EXPECT_TRUE(HasShape(c));
        EXPECT_GT(Groups(DrawCell(c, cell)), 0)
            << "U+" << std::hex << static_cast<uint32_t>(c);
      }
    }
  }
  EXPECT_FALSE(HasShape('a'));
  EXPECT_TRUE(ShapeOf('a', {8, 17}).empty());
}

}  // namespace
}  // namespace glasstty::picture

// A cell of the screen and its style. Plain values.
//
// Used by the grid, which owns all cells, and by whoever reads rows. Colours
// are those that the program asked for, before any theme: palette entries stay
// numbers, and bold does not brighten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace glasstty::terminal {

// 0 is the default colour, kPaletteColor | index is one of 256, and kRgbColor |
// 0xRRGGBB is a direct colour.
using Color = uint32_t;
inline constexpr Color kDefaultColor = 0;
inline constexpr Color kPaletteColor = 1u << 24;
inline constexpr Color kRgbColor = 2u << 24;

// Bits of Style::attributes. Underline takes two bits: 0 none, 1 single, 2
// double, 3 curly (dotted and dashed count as single).
enum StyleBit : uint16_t {
  kBold = 1 << 0,
  kFaint = 1 << 1,
  kItalic = 1 << 2,
  kUnderlineLow = 1 << 3,
  kUnderlineHigh = 1 << 4,
  kBlink = 1 << 5,
  kReverse = 1 << 6,
  kConceal = 1 << 7,
  kStrike = 1 << 8,
  kOverline = 1 << 9,
};
inline constexpr int kUnderlineShift = 3;

struct Style {
  Color foreground = kDefaultColor;
  Color background = kDefaultColor;
  uint16_t attributes = 0;

  bool operator==(const Style&) const = default;
};

// A cell has 16 bytes. `text` is a code point; 0 is a blank; from kClusterBase
// on it is an index into the grid's cluster table (a base character with
// marks).
struct Cell {
  uint32_t text = 0;
  Color foreground = kDefaultColor;
  Color background = kDefaultColor;
  uint16_t attributes = 0;
  uint8_t width = 1;  // 2: left half of a wide glyph; 0: its right half
  uint8_t flags = 0;  // CellFlags

  bool operator==(const Cell&) const = default;
  // Becomes what remains of a wide glyph that loses its other half.
  void LoseText() {
    text = 0;
    width = 1;
  }
};
static_assert(sizeof(Cell) == 16);

inline Style StyleOf(const Cell& cell) {
  return {cell.foreground, cell.background, cell.attributes};
}

// Writes a cell as a whole. An assignment would be four stores, because gcc
// splits what it keeps in registers (terminal_bench, feed).
inline void StoreCell(const Cell& cell, Cell* to) {
  std::memcpy(to, &cell, sizeof(cell));
}
inline void FillCells(const Cell& cell, Cell* first, Cell* last) {
  for (; first < last; ++first) StoreCell(cell, first);
}

// Compares both colours at once, because this is called for every cell that
// becomes history (terminal_bench, feed/long).
inline bool SameStyle(const Cell& a, const Cell& b) {
  constexpr size_t kColors = offsetof(Cell, foreground);
  static_assert(offsetof(Cell, background) == kColors + sizeof(Color));
  return std::memcmp(reinterpret_cast<const char*>(&a) + kColors,
                     reinterpret_cast<const char*>(&b) + kColors,
                     2 * sizeof(Color)) == 0 &&
         a.attributes == b.attributes;
}

// The bits from kTabStart on record how a blank was made; lines reproduce that
// (Row::AppendLine), but screens do not. Whatever writes or erases a cell
// clears them.
enum CellFlags : uint8_t {
  kProtected = 1,        // DECSCA: survives selective erase
  kTabStart = 2,         // a tab was printed here, over this cell and those
  kTabInside = 4,        // that follow it, up to
  kTabEnd = 8,           // its last one
  kTabsBeforeLast = 16,  // behind this cell are tabs that could not move the
  kTabsBehindLast = 32,  // cursor (Row::stuck_tabs)
};
inline constexpr uint8_t kTabFlags = kTabStart | kTabInside | kTabEnd;
inline constexpr uint8_t kStuckFlags = kTabsBeforeLast | kTabsBehindLast;
inline constexpr uint32_t kClusterBase = 0x110000;

}  // namespace glasstty::terminal

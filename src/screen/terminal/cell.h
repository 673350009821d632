// A cell of the screen and its style. Plain values.
//
// Rows (terminal/row.h) own cells, and the grid owns the rows of both screens.
// Colours are as the program set them, before any theme: palette colours are
// kept as numbers, and bold does not brighten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace glasstty::terminal {

// The value 0 is the default colour, kPaletteColor | index is one of 256
// colours, and kRgbColor | 0xRRGGBB is a direct colour.
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

// A cell has 16 bytes. `text` is a code point, or 0 for a blank and for the
// right half of a wide glyph. From kClusterBase on, it refers to several code
// points in a ClusterTable.
struct Cell {
  uint32_t text = 0;
  Color foreground = kDefaultColor;
  Color background = kDefaultColor;
  uint16_t attributes = 0;
  uint8_t width = 1;  // 2: left half of a wide glyph; 0: its right half
  uint8_t flags = 0;  // CellFlags

  bool operator==(const Cell&) const = default;
  // Replaces the glyph, or the half of one, by a blank in the same style.
  void LoseText() {
    text = 0;
    width = 1;
  }
};
static_assert(sizeof(Cell) == 16);

inline Style StyleOf(const Cell& cell) {
  return {cell.foreground, cell.background, cell.attributes};
}

// Writes a cell as a whole. gcc would compile an assignment to four stores
// (measured by terminal_bench, feed).
inline void StoreCell(const Cell& cell, Cell* to) {
  std::memcpy(to, &cell, sizeof(cell));
}
inline void FillCells(const Cell& cell, Cell* first, Cell* last) {
  for (; first < last; ++first) StoreCell(cell, first);
}

// Compares both colours at once, because RowEncoder calls this for each cell of
// a row that is not plain (measured by terminal_bench, feed/long).
inline bool SameStyle(const Cell& a, const Cell& b) {
  constexpr size_t kColors = offsetof(Cell, foreground);
  static_assert(offsetof(Cell, background) == kColors + sizeof(Color));
  return std::memcmp(reinterpret_cast<const char*>(&a) + kColors,
                     reinterpret_cast<const char*>(&b) + kColors,
                     2 * sizeof(Color)) == 0 &&
         a.attributes == b.attributes;
}

// The bits from kTabStart on record printed tabs. Lines reproduce the tabs
// (Row::AppendLine), but screens do not. Overwriting or erasing a cell clears
// these bits.
enum CellFlags : uint8_t {
  kProtected = 1,        // DECSCA: survives selective erase
  kTabStart = 2,         // the first cell over which a tab was printed
  kTabInside = 4,        // a further cell of that tab
  kTabEnd = 8,           // the tab's last cell, in addition to kTabStart or
                         // kTabInside
  kTabsBeforeLast = 16,  // tabs that were printed after this cell did not move
                         // the cursor; their number is Row::stuck_tabs[0]
  kTabsBehindLast = 32,  // like kTabsBeforeLast, but see Row::stuck_tabs[1]
};
inline constexpr uint8_t kTabFlags = kTabStart | kTabInside | kTabEnd;
inline constexpr uint8_t kStuckFlags = kTabsBeforeLast | kTabsBehindLast;
inline constexpr uint32_t kClusterBase = 0x110000;

}  // namespace glasstty::terminal

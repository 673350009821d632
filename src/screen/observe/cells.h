// Divides the rows of a frame into columns with their styles. Pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "terminal/cell.h"
#include "terminal/snapshot.h"

namespace glasstty::observe {

// A column.
struct PaintCell {
  // A glyph and its marks; " " is a blank, "" the right half of a wide glyph.
  std::string_view text = " ";
  terminal::Style style;

  bool operator==(const PaintCell&) const = default;
  // Returns whether the cell is as after erasing.
  bool IsBlank() const { return text == " " && style == terminal::Style(); }
};
using PaintRow = std::vector<PaintCell>;

// Returns whether all terminals and fonts agree on how many columns the text of
// a cell takes. They do not agree about several code points, nor about emoji
// that are newer than they are.
inline bool HasSureWidth(std::string_view text) {
  if (text.size() < 2) return true;
  return TakeUtf8(&text) < 0x1F000 && text.empty();
}
// Returns whether the text has several code points, each of which terminals may
// count.
inline bool IsSequence(std::string_view text) {
  if (text.size() < 2) return false;
  TakeUtf8(&text);
  return !text.empty();
}
// Returns the largest number of columns that a terminal might give it.
int MostColumns(std::string_view text);

// Returns exactly the first `cols` columns of a row. The result points into
// `row`.
PaintRow PaintCells(const terminal::SnapshotRow& row, int cols);
// Returns the columns of the glyph at `col`: 1 or 2.
inline int GlyphWidth(const PaintRow& cells, int col) {
  size_t next = static_cast<size_t>(col) + 1;
  return next < cells.size() && cells[next].text.empty() ? 2 : 1;
}

// Returns the text of the cell at `col`, without an emoji selector that would
// give it two columns on many terminals although it has one here.
inline std::string_view PaintedText(const PaintRow& cells, int col) {
  constexpr std::string_view kSelector = "\uFE0F";
  std::string_view text = cells[static_cast<size_t>(col)].text;
  if (text.size() <= kSelector.size() || GlyphWidth(cells, col) != 1 ||
      !text.ends_with(kSelector)) {
    return text;
  }
  return text.substr(0, text.size() - kSelector.size());
}

}  // namespace glasstty::observe

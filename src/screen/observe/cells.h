// Splits the rows of a frame into columns with their styles. Pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "terminal/cell.h"
#include "terminal/snapshot.h"

namespace glasstty::observe {

// The content of one column.
struct PaintCell {
  // A glyph with its marks; " " for a blank, "" for the right half of a wide
  // glyph.
  std::string_view text = " ";
  terminal::Style style;

  bool operator==(const PaintCell&) const = default;
  // Returns true if the cell looks erased.
  bool IsBlank() const { return text == " " && style == terminal::Style(); }
};
using PaintRow = std::vector<PaintCell>;

// Returns true if all terminals and fonts agree on how many columns the text of
// a cell takes. They disagree on sequences of code points, and on emoji that
// are newer than the terminal or font.
inline bool HasSureWidth(std::string_view text) {
  if (text.size() < 2) return true;
  return TakeUtf8(&text) < 0x1F000 && text.empty();
}
// Returns true if the text has several code points. Some terminals then count
// columns for each of them.
inline bool IsSequence(std::string_view text) {
  if (text.size() < 2) return false;
  TakeUtf8(&text);
  return !text.empty();
}
// Returns the largest number of columns that a terminal might use for the text.
int MostColumns(std::string_view text);

// Returns the first `cols` columns of a row, padded with blanks. The result
// points into `row`.
PaintRow PaintCells(const terminal::SnapshotRow& row, int cols);
// Returns the columns of the glyph at `col`: 1 or 2.
inline int GlyphWidth(const PaintRow& cells, int col) {
  size_t next = static_cast<size_t>(col) + 1;
  return next < cells.size() && cells[next].text.empty() ? 2 : 1;
}

// Returns the text of the cell at `col`. If the cell has one column, an emoji
// selector at the end is left out, because it would make the glyph two columns
// wide on many terminals.
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

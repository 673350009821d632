#include "view/suggestion.h"

#include <algorithm>

#include "support/text.h"
#include "terminal/colors.h"
#include "view/cell_grid.h"

namespace glasstty::view {
namespace {

// A grey has nearly the same amount of each colour.
constexpr int kGreyRange = 0x18;
// A brighter grey may be a terminal's usual text.
constexpr int kBrightest = 0xB0;

bool IsGrey(terminal::Rgb rgb) {
  int red = rgb >> 16 & 0xFF, green = rgb >> 8 & 0xFF, blue = rgb & 0xFF;
  auto [least, most] = std::minmax({red, green, blue});
  return most - least <= kGreyRange && most <= kBrightest;
}

bool IsPale(const terminal::Style& style) {
  if ((style.attributes & terminal::kReverse) != 0) return false;
  if ((style.attributes & terminal::kFaint) != 0) return true;
  terminal::Color color = style.foreground;
  if ((color & terminal::kRgbColor) != 0) {
    return IsGrey(color & ~terminal::kRgbColor);
  }
  if ((color & terminal::kPaletteColor) == 0) return false;
  auto index = static_cast<int>(color & ~terminal::kPaletteColor);
  // The first sixteen colours contain two greys, of which white is too light.
  return index == 8 || (index >= 16 && IsGrey(terminal::IndexedColor(index)));
}

// Most rows have no pale text, so the caller need not build a grid for them.
bool HasPale(const terminal::SnapshotRow& row) {
  return std::any_of(
      row.styles.begin(), row.styles.end(),
      [](const terminal::StyleRun& run) { return IsPale(run.style); });
}

const terminal::SnapshotRow* RowAt(const terminal::Snapshot& snapshot,
                                   int row) {
  bool is_there = row >= 0 && row < static_cast<int>(snapshot.rows.size());
  return is_there ? &snapshot.rows[static_cast<size_t>(row)] : nullptr;
}

bool IsBlank(const CellGrid::Cell& cell) { return cell.text == " "; }

// Returns the pale text that begins in this cell, including its part in rows
// that continue this one.
std::string PaleText(const terminal::Snapshot& snapshot, const CellGrid& grid,
                     int row, int col) {
  std::string text;
  while (IsPale(grid.At(row, col).style)) {
    text += grid.At(row, col).text;
    if (++col < grid.cols()) continue;
    const terminal::SnapshotRow* next = RowAt(snapshot, ++row);
    if (next == nullptr || !next->wrapped) break;
    col = 0;
  }
  return std::string(TrimBlanks(text));
}

std::string BehindCursor(const terminal::Snapshot& snapshot,
                         const CellGrid& grid) {
  auto [row, col, visible, pending] = snapshot.cursor;
  // The cursor may be within a text that is pale as a whole.
  bool is_within = col > 0 && !IsBlank(grid.At(row, col - 1)) &&
                   IsPale(grid.At(row, col - 1).style);
  return is_within ? "" : PaleText(snapshot, grid, row, col);
}

// Returns the text of the row below the cursor if it is pale as a whole, begins
// in the first column, and is the last text on the screen.
std::string BelowCursor(const terminal::Snapshot& snapshot,
                        const CellGrid& grid) {
  int row = snapshot.cursor.row + 1;
  for (int below = row + 1; RowAt(snapshot, below) != nullptr; ++below) {
    if (!RowAt(snapshot, below)->text.empty()) return "";
  }
  for (int col = 0; col < grid.cols(); ++col) {
    const CellGrid::Cell& cell = grid.At(row, col);
    bool is_begin = col == 0;
    bool fits = IsPale(cell.style) || (IsBlank(cell) && !is_begin);
    if (!fits) return "";
  }
  return RowAt(snapshot, row)->text;
}

}  // namespace

std::vector<std::string> FindSuggestions(const terminal::Snapshot& snapshot) {
  std::vector<std::string> found;
  int row = snapshot.cursor.row;
  const terminal::SnapshotRow* here = RowAt(snapshot, row);
  const terminal::SnapshotRow* below = RowAt(snapshot, row + 1);
  bool may_follow = here != nullptr && HasPale(*here);
  bool may_stand_below = below != nullptr && !below->wrapped && HasPale(*below);
  if (!snapshot.cursor.visible || (!may_follow && !may_stand_below)) {
    return found;
  }
  CellGrid grid(snapshot);
  if (may_follow) found.push_back(BehindCursor(snapshot, grid));
  if (may_stand_below) found.push_back(BelowCursor(snapshot, grid));
  std::erase(found, "");
  return found;
}

}  // namespace glasstty::view

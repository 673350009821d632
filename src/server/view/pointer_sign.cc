#include "view/pointer_sign.h"

#include <vector>

namespace glasstty::view {
namespace {

using GridRun = CellGrid::Run;

// Each glyph is a sign.
constexpr std::string_view kSigns = ">❯›▶▸►‣→➤➜»⏵";

// Returns the first cell of the entry above (-1) or below (1), or null if none
// begins to the right of the sign. Rows that begin further right are
// descriptions.
const CellGrid::Cell* NextEntry(const CellGrid& grid, const GridRun& pointed,
                                int entry, int step) {
  GridRun panel = grid.Panel(pointed.row, pointed.first);
  int start = entry + 1;
  while (start > entry) {
    panel.row += step;
    start = grid.IsInside(panel.row) ? grid.Start(panel) : -1;
  }
  return start > pointed.first ? &grid.At(panel.row, start) : nullptr;
}

bool Points(const CellGrid& grid, const GridRun& run) {
  const CellGrid::Cell& sign = grid.At(run.row, run.first);
  int entry = grid.Start({run.row, run.first + 1, run.last});
  bool is_sign = !sign.text.empty() && kSigns.find(sign.text) != kSigns.npos;
  if (!is_sign || entry < 0) return false;
  // In plain text, an angle bracket begins a quotation.
  bool plain = sign.style == terminal::Style();
  if (sign.text == ">" && (plain || entry == run.first + 1)) return false;
  if (NextEntry(grid, run, entry, -1) != nullptr) return true;
  const CellGrid::Cell* below = NextEntry(grid, run, entry, 1);
  // A filter may have left only one entry of the list.
  constexpr uint16_t kLine = terminal::kUnderlineLow | terminal::kUnderlineHigh;
  if ((grid.At(run.row, entry).style.attributes & kLine) != 0) return true;
  // A prompt whose text continues below looks the same in both rows.
  return below != nullptr &&
         !(plain && below->style == grid.At(run.row, entry).style);
}

}  // namespace

std::string FindPointedAt(const CellGrid& grid, int caret) {
  std::vector<GridRun> found;
  for (int row = 0; row < grid.rows(); ++row) {
    for (const GridRun& panel : grid.Panels(row)) {
      if (row != caret && Points(grid, panel)) found.push_back(panel);
    }
  }
  return found.size() == 1 ? grid.Text(found[0]) : "";
}

}  // namespace glasstty::view

// A text that is no longer found may be behind a dialog. Two facts show this: a
// part of the text is still in its place, and the cover of the rest has an edge
// that continues in the row above or below. A text that overwrites another one
// has no such edge.
#include "waits/gone.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "terminal/row_cells.h"
#include "terminal/screen_lines.h"

namespace glasstty::waits {
namespace {

// At least this many columns of the text must be left; fewer may be chance.
constexpr size_t kLeastLeft = 2;
// No dialog is narrower than this.
constexpr int kLeastHidden = 8;
// A dialog's frame may have a blank margin, which hides nothing where the
// screen was blank.
constexpr size_t kMargin = 3;

terminal::Color BackgroundAt(const terminal::SnapshotRow& row, size_t col) {
  for (const terminal::StyleRun& run : row.styles) {
    auto begin = static_cast<size_t>(run.col);
    if (begin <= col && col < begin + static_cast<size_t>(run.cols)) {
      return run.style.background;
    }
  }
  return terminal::kDefaultColor;
}

// Returns for each column whether its glyph or background has changed.
std::vector<bool> ChangedCells(const terminal::SnapshotRow& before,
                               const terminal::SnapshotRow& after,
                               size_t cols) {
  terminal::RowCells old_cells = terminal::CutIntoCells(before);
  terminal::RowCells new_cells = terminal::CutIntoCells(after);
  std::vector<bool> changed(cols);
  for (size_t col = 0; col < cols; ++col) {
    std::string_view a = col < old_cells.size() ? old_cells[col] : " ";
    std::string_view b = col < new_cells.size() ? new_cells[col] : " ";
    changed[col] =
        a != b || BackgroundAt(before, col) != BackgroundAt(after, col);
  }
  return changed;
}

// Returns true if the first column that has changed is at about `col`, and if
// enough columns have changed for a dialog.
bool BeginsNear(const std::vector<bool>& changed, size_t col) {
  auto first = std::find(changed.begin(), changed.end(), true);
  auto at = static_cast<size_t>(first - changed.begin());
  return at + 1 >= col && at <= col + kMargin &&
         std::count(first, changed.end(), true) >= kLeastHidden;
}

}  // namespace

GoneText::Sight GoneText::Look(const terminal::Snapshot& screen) {
  for (const terminal::ScreenLine& line : terminal::ScreenLines(screen)) {
    size_t at = line.text.find(text_);
    if (at == std::string::npos) continue;
    // If the text has several rows, a dialog is looked for around the first.
    auto next = std::upper_bound(line.begins.begin(), line.begins.end(), at);
    size_t begin = *std::prev(next);
    size_t row = line.row + static_cast<size_t>(next - line.begins.begin()) - 1;
    const terminal::SnapshotRow& there = screen.rows[row];
    auto column = [&there, begin](size_t byte) {
      return static_cast<size_t>(
          terminal::ColumnAt(there, std::min(byte - begin, there.text.size())));
    };
    size_t first = column(at), end = column(at + text_.size());
    place_ = Place{row, first, std::max(first + 1, end) - 1, screen.rows};
    return Sight::kThere;
  }
  if (!place_) return Sight::kNever;
  return IsCovered(screen) ? Sight::kThere : Sight::kGone;
}

// A dialog whose left edge is in the text leaves the beginning visible. For a
// right edge, which leaves the end visible, the rows are mirrored.
bool GoneText::IsCovered(const terminal::Snapshot& screen) const {
  if (screen.rows.size() != place_->rows.size()) return false;
  auto cols = static_cast<size_t>(screen.size.cols);
  auto changes = [&](size_t row, bool mirrored) {
    std::vector<bool> changed =
        ChangedCells(place_->rows[row], screen.rows[row], cols);
    if (mirrored) std::reverse(changed.begin(), changed.end());
    return changed;
  };
  for (bool mirrored : {false, true}) {
    size_t first = mirrored ? cols - 1 - place_->last : place_->first;
    size_t last = mirrored ? cols - 1 - place_->first : place_->last;
    std::vector<bool> here = changes(place_->row, mirrored);
    size_t edge = first;
    while (edge <= last && edge < cols && !here[edge]) ++edge;
    bool is_left = edge >= first + kLeastLeft && edge <= last;
    if (!is_left || !BeginsNear(here, edge)) continue;
    bool above =
        place_->row > 0 && BeginsNear(changes(place_->row - 1, mirrored), edge);
    bool below = place_->row + 1 < screen.rows.size() &&
                 BeginsNear(changes(place_->row + 1, mirrored), edge);
    if (above || below) return true;
  }
  return false;
}

}  // namespace glasstty::waits

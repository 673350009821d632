#include "terminal/row.h"

#include <algorithm>

#include "terminal/colors.h"

namespace glasstty::terminal {
namespace {

// A row with fewer unreadable characters than this counts as readable, because
// they convey nothing: programs draw frames and meters with letters in the
// colour of the background.
constexpr int kFewestConcealed = 6;

}  // namespace

void Row::CutOff(int cols) {
  used = cols;
  Cell& last = cells[cols - 1];
  if (last.width == 2) last.text = 0, last.width = 1;
}

void Row::Repair() {
  for (int col = 0; col < used; ++col) {
    Cell& cell = cells[col];
    bool is_pair =
        cell.width == 2 && col + 1 < used && cells[col + 1].width == 0;
    if (is_pair) {
      ++col;
    } else if (cell.width != 1) {
      cell.LoseText();
    }
  }
}

// Printed spaces and tabs count as content; a background does not.
bool Row::IsBlank() const {
  return returns == 0 &&
         std::all_of(cells.begin(), cells.begin() + used, [](const Cell& cell) {
           return cell.text == 0 && (cell.flags & kTabStart) == 0;
         });
}

bool Row::HasText() const {
  return std::any_of(cells.begin(), cells.begin() + used, [](const Cell& cell) {
    return cell.text != 0 && cell.text != ' ';
  });
}

// Adjacent cells mostly have the same style, so legibility is decided once for
// each run.
bool Row::ConcealsSome(int cols) const {
  const Cell* const last = cells.data() + std::min(used, cols);
  const Cell* style = nullptr;
  bool conceals = false;
  int characters = 0;
  for (const Cell* cell = cells.data(); cell < last; ++cell) {
    if (style == nullptr || !SameStyle(*cell, *style)) {
      style = cell;
      conceals = IsUnreadable(StyleOf(*cell));
    }
    if (conceals && IsWordCharacter(cell->text)) ++characters;
  }
  return characters >= kFewestConcealed;
}

void Row::AppendText(int cols, const ClusterTable& clusters,
                     std::string* out) const {
  int end = std::min(used, cols);
  // The last cell may be the left half of a wide glyph whose right half is
  // beyond the edge.
  bool is_cut = end > 0 && end < used && cells[end - 1].width == 2;
  if (is_cut) --end;
  // Readers trim trailing blanks anyway; omitting those that were not printed
  // saves a sixth of the time of a snapshot (measured by terminal_bench,
  // snapshot/regions).
  while (end > 0 && cells[end - 1].text == 0 && cells[end - 1].width == 1) {
    --end;
  }
  out->reserve(out->size() + static_cast<size_t>(end));
  const Cell* const last = cells.data() + end;
  for (const Cell* cell = cells.data(); cell < last; ++cell) {
    if (cell->text - 1 < 0x7F) {
      out->push_back(static_cast<char>(cell->text));
    } else if (cell->width != 0) {
      clusters.AppendText(cell->text, out);
    }
  }
}

int Row::PrintedEnd(int cols) const {
  int end = std::min(used, cols);
  while (end > 0 && cells[end - 1].text == 0 && cells[end - 1].width == 1) {
    if ((cells[end - 1].flags & kTabEnd) != 0) {
      int start = end - 1;
      while (start > 0 && (cells[start].flags & kTabStart) == 0) --start;
      if (TabColumns(start, end) == end - start) break;
    }
    --end;
  }
  return end;
}

// Cells of a tab that were overwritten have lost their flags. A tab whose cells
// differ in style counts as blanks, because a record has one style for a tab.
int Row::TabColumns(int col, int end) const {
  if ((cells[col].flags & kTabStart) == 0) return 0;
  int at = col;
  while ((cells[at].flags & kTabEnd) == 0) {
    if (++at >= end || (cells[at].flags & kTabInside) == 0) return 0;
    if (!SameStyle(cells[at], cells[col])) return 0;
  }
  return at + 1 - col;
}

int Row::StuckTabs(int flags) const {
  if ((flags & kStuckFlags) == 0) return 0;
  return ((flags & kTabsBeforeLast) != 0 ? stuck_tabs[0] : 0) +
         ((flags & kTabsBehindLast) != 0 ? stuck_tabs[1] : 0);
}

// A wide glyph or a tab that ends beyond `cols` is not included.
void Row::AppendPrinted(int cols, const ClusterTable& clusters,
                        std::string* out) const {
  int end = PrintedEnd(cols);
  bool is_cut = end > 0 && end < used && cells[end - 1].width == 2;
  if (is_cut) --end;
  out->reserve(out->size() + static_cast<size_t>(end));
  for (int col = 0; col < end; ++col) {
    const Cell& cell = cells[col];
    if (cell.text - 1 < 0x7F) {
      out->push_back(static_cast<char>(cell.text));
    } else if (int tab = TabColumns(col, end); tab > 0) {
      out->push_back('\t');
      col += tab - 1;
    } else if (cell.width != 0) {
      clusters.AppendText(cell.text, out);
    }
    out->append(StuckTabs(cells[col].flags), '\t');
  }
}

void Row::AppendLine(const ClusterTable& clusters, std::string* out) const {
  AppendPrinted(used, clusters, out);
  out->append(returns, '\r');
}

// Cells of the default style are in no run.
std::vector<StyleRun> Row::Styles(int cols) const {
  std::vector<StyleRun> runs;
  const Cell* const first = cells.data();
  const Cell* const last = first + std::min(used, cols);
  for (const Cell* cell = first; cell < last;) {
    const Cell* end = cell + 1;
    while (end < last && SameStyle(*end, *cell)) ++end;
    Style style = StyleOf(*cell);
    if (style != Style()) {
      runs.push_back({static_cast<int>(cell - first),
                      static_cast<int>(end - cell), style});
    }
    cell = end;
  }
  return runs;
}

std::vector<Joint> Row::Joints(int cols, const ClusterTable& clusters) const {
  std::vector<Joint> joints;
  int end = has_joints ? std::min(used, cols) : 0;
  for (int col = 0; col < end; ++col) {
    const Cell& cell = cells[col];
    if (!clusters.IsJoint(cell) || col + cell.width > end) continue;
    char bytes[ClusterTable::kMaxBytes];
    auto size = static_cast<int>(clusters.Encode(cell.text, bytes));
    joints.push_back({col, size, cell.width});
  }
  return joints;
}

}  // namespace glasstty::terminal

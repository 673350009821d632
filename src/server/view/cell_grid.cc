#include "view/cell_grid.h"

#include <algorithm>
#include <cctype>

#include "terminal/row_cells.h"

namespace glasstty::view {
namespace {

// Unicode has the box drawing and block elements in this range.
bool IsFrame(const CellGrid::Cell& cell) {
  return cell.text >= "\u2500" && cell.text <= "\u259F";
}

bool IsFigure(const CellGrid::Cell& cell) {
  return cell.text.size() == 1 && std::isdigit(cell.text[0]) != 0;
}

}  // namespace

CellGrid::CellGrid(const terminal::Snapshot& screen)
    : rows_(static_cast<int>(screen.rows.size())),
      cols_(screen.size.cols),
      cells_(screen.rows.size() * static_cast<size_t>(cols_)) {
  Cell* begin = cells_.data();
  for (const terminal::SnapshotRow& row : screen.rows) {
    terminal::RowCells texts = terminal::CutIntoCells(row);
    int end = std::min(static_cast<int>(texts.size()), cols_);
    for (int col = 0; col < end; ++col) {
      begin[col].text = texts[static_cast<size_t>(col)];
    }
    for (const terminal::StyleRun& run : row.styles) {
      bool reverse = (run.style.attributes & terminal::kReverse) != 0;
      Ground ground = reverse ? kReversed : run.style.background;
      int last = std::min(run.col + run.cols, cols_);
      std::for_each(begin + run.col, begin + last, [&](Cell& cell) {
        cell.style = run.style;
        cell.ground = ground;
      });
    }
    begin += cols_;
  }
  for (int row = 0; row < rows_; ++row) FindRuns(row);
}

void CellGrid::FindRuns(int row) {
  Cell* begin = cells_.data() + static_cast<ptrdiff_t>(row) * cols_;
  int first = 0;
  for (int col = 0; col < cols_; ++col) {
    Cell& cell = begin[col];
    if (cell.ground != begin[first].ground) first = col;
    cell.first = first;
    cell.is_word = !cell.text.empty() && cell.text != " " && !IsFrame(cell);
  }
  for (int col = cols_ - 1; col >= 0; --col) {
    bool ends = col + 1 == cols_ || begin[col + 1].first != begin[col].first;
    begin[col].last = ends ? col : begin[col + 1].last;
  }
}

std::optional<CellGrid::Rect> CellGrid::FrameAround(int row, int col) const {
  Run panel = Panel(row, col);
  Rect rect{row, row, panel.first - 1, panel.last + 1};
  auto has_sides = [&](int at) {
    return IsFrame(At(at, rect.left)) && IsFrame(At(at, rect.right));
  };
  if (!has_sides(row)) return std::nullopt;
  while (has_sides(rect.top - 1)) --rect.top;
  while (has_sides(rect.bottom + 1)) ++rect.bottom;
  return rect;
}

void CellGrid::KeepOnly(const Rect& rect) {
  for (int row = 0; row < rows_; ++row) {
    bool keeps = row >= rect.top && row <= rect.bottom;
    Cell* begin = cells_.data() + static_cast<ptrdiff_t>(row) * cols_;
    std::fill(begin, begin + (keeps ? rect.left : cols_), Cell());
    if (keeps) std::fill(begin + rect.right + 1, begin + cols_, Cell());
    FindRuns(row);
  }
}

CellGrid::Run CellGrid::RunAt(int row, int col) const {
  const Cell& cell = At(row, col);
  return {row, cell.first, cell.last, cell.ground};
}

CellGrid::Run CellGrid::LastIn(int row) const {
  Run run = RunAt(row, cols_ - 1);
  bool none = run.ground == terminal::kDefaultColor && run.first > 0;
  return none ? RunAt(row, run.first - 1) : run;
}

std::vector<CellGrid::Run> CellGrid::Runs(int row) const {
  std::vector<Run> runs;
  for (int col = 0; col < cols_; col = runs.back().last + 1) {
    runs.push_back(RunAt(row, col));
  }
  return runs;
}

CellGrid::Run CellGrid::Panel(int row, int col) const {
  Run run{row, col, col};
  while (run.first > 0 && !IsFrame(At(row, run.first - 1))) --run.first;
  while (run.last + 1 < cols_ && !IsFrame(At(row, run.last + 1))) ++run.last;
  return run;
}

std::vector<CellGrid::Run> CellGrid::Panels(int row) const {
  std::vector<Run> panels;
  for (int col = 0; col < cols_; ++col) {
    if (!IsWord(At(row, col))) continue;
    panels.push_back({row, col, Panel(row, col).last});
    col = panels.back().last;
  }
  return panels;
}

int CellGrid::Start(const Run& run) const {
  for (int col = run.first; col <= run.last; ++col) {
    if (IsWord(At(run.row, col))) return col;
  }
  return -1;
}

bool CellGrid::IsEdge(const Run& run, int col, bool end) const {
  int beside = col + (end ? 1 : -1);
  bool outside = beside < run.first || beside > run.last;
  return IsWord(At(run.row, col)) && (outside || !IsWord(At(run.row, beside)));
}

std::string CellGrid::Text(const Run& run) const {
  std::string text;
  for (int col = run.first; col <= run.last; ++col) {
    const Cell& cell = At(run.row, col);
    if (IsWord(cell)) {
      text += cell.text;
    } else if (!cell.text.empty() && !text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

bool CellGrid::IsIsland(const Run& run) const {
  auto other = [&](int row) {
    return !IsInside(row) || GroundAt(row, run.first) != run.ground ||
           RunAt(row, run.first).last < run.last;
  };
  bool between = run.first > 0 && !ReachesEdge(run);
  return other(run.row - 1) && other(run.row + 1) &&
         (run.ground != terminal::kDefaultColor || between);
}

bool CellGrid::IsAlike(const Run& run, int row) const {
  Run other{row, run.first, run.last};
  for (bool end : {false, true}) {
    int here = 0, there = 0, both = 0;
    bool first = false, last = false;
    for (int col = run.first; col <= run.last; ++col) {
      bool a = IsEdge(run, col, end), b = IsEdge(other, col, end);
      if (!a && !b) continue;
      // A heading has words above figures, so it is not like the rows below.
      last = a && b && IsFigure(At(run.row, col)) == IsFigure(At(row, col));
      if (here + there == 0) first = last;
      here += a ? 1 : 0;
      there += b ? 1 : 0;
      both += last ? 1 : 0;
    }
    // Nearly every full row begins in the first column, so that proves nothing.
    bool same = !IsWhole(run) && (end ? last : first);
    bool half = both > 0 && 2 * both >= std::min(here, there);
    if (same || half) return true;
  }
  return false;
}

bool CellGrid::IsSamePlace(const Run& run, int row) const {
  Run other = RunAt(row, run.first);
  auto same = [&](int col) {
    return GroundAt(row, col) == GroundAt(run.row, col);
  };
  bool equal = other.first == run.first && other.last == run.last;
  bool beside = same(run.first - 1) && same(run.last + 1);
  return IsInside(row) && (equal || (beside && other.last >= run.last));
}

std::optional<CellGrid::Ground> CellGrid::GroundOfList(const Run& run) const {
  std::optional<Ground> ground;
  int above = 0, count = 0, start = Start(run);
  // An entry that fills a frame may be the only one.
  Run panel = Panel(run.row, run.first);
  bool fills = panel.first > 0 && !ReachesEdge(panel) &&
               run.first == panel.first && run.last + 2 >= panel.last;
  for (int step : {-1, 1}) {
    for (int row = run.row + step; IsSamePlace(run, row); row += step) {
      Ground here = GroundAt(row, run.first);
      // A single column has no words to compare.
      int begins = Start({row, run.first, run.last});
      bool blank = begins < 0 && fills;
      if (run.cols() > 1 && !IsAlike(run, row) && !blank) {
        // The second row of an entry begins further right.
        if (begins > start) continue;
        break;
      }
      if (here == run.ground) return std::nullopt;
      if (here != ground.value_or(here)) {
        // Text above a window may look like its entries.
        bool window = row == run.row + 1 && *ground == terminal::kDefaultColor;
        if (!window) break;
        count = above = 0;
      }
      ground = here;
      ++count;
      above += step < 0 ? 1 : 0;
    }
  }
  return count > 1 || IsSurrounded(run, ground, above) ? ground : std::nullopt;
}

bool CellGrid::IsSurrounded(const Run& run, std::optional<Ground> ground,
                            int above) const {
  if (IsWhole(run)) return above > 0 || IsUnderHeading(run, ground);
  bool beside = GroundAt(run.row, run.first - 1) == ground ||
                GroundAt(run.row, run.last + 1) == ground;
  // A heading may show the sorted column in the colour of the entry below.
  int own = 0;
  for (const Run& part : Runs(run.row)) {
    if (part.ground == run.ground) own += part.cols();
  }
  bool in_heading = IsWhole(RunAt(run.row + 1, run.first)) &&
                    GroundAt(run.row + 2, run.first) != ground &&
                    2 * own > cols_;
  return beside && !in_heading;
}

bool CellGrid::IsUnderHeading(const Run& run,
                              std::optional<Ground> ground) const {
  if (!IsInside(run.row - 1)) return false;
  std::vector<Run> over = Runs(run.row - 1);
  return std::any_of(over.begin(), over.end(), [&](const Run& part) {
    return part.ground != terminal::kDefaultColor &&
           part.ground != run.ground && part.ground != ground;
  });
}

}  // namespace glasstty::view

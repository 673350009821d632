#include "cli/table.h"

#include <algorithm>
#include <numeric>

#include "base/visible.h"
#include "cli/print.h"
#include "terminal/row_cells.h"

namespace glasstty {
namespace {

constexpr int kGap = 2;  // columns between two cells

int WidthOf(const std::string& text) {
  return static_cast<int>(terminal::CutIntoCells(text).size());
}

int TotalOf(const std::vector<int>& widths) {
  auto shown = std::ranges::count_if(widths, [](int w) { return w > 0; });
  return std::accumulate(widths.begin(), widths.end(), 0) +
         kGap * std::max(static_cast<int>(shown) - 1, 0);
}

// Narrows the widest columns first, so that they become about equally wide.
// Returns false if the table is still too wide.
bool Shrink(std::span<const Column> columns, int width,
            std::vector<int>* widths) {
  while (TotalOf(*widths) > width) {
    int widest = -1;
    for (size_t i = 0; i < columns.size(); ++i) {
      bool can_shrink = (*widths)[i] > columns[i].least;
      bool is_wider = widest < 0 || (*widths)[i] > (*widths)[widest];
      if (can_shrink && is_wider) widest = static_cast<int>(i);
    }
    if (widest < 0) return false;
    --(*widths)[widest];
  }
  return true;
}

// Returns the width of each column; 0: it is left out.
std::vector<int> WidthsFor(std::span<const Column> columns, const Table& rows,
                           int width) {
  std::vector<int> widths(columns.size(), 0);
  for (const auto& cells : rows) {
    for (size_t i = 0; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], WidthOf(cells[i]));
    }
  }
  std::vector<int> least = widths;
  for (size_t i = 0; i < columns.size(); ++i) {
    least[i] = std::min(least[i], columns[i].least);
  }
  while (TotalOf(least) > width) {
    size_t last = 0;
    for (size_t i = 0; i < columns.size(); ++i) {
      bool is_shown = least[i] > 0;
      bool is_later = least[last] == 0 || columns[i].rank > columns[last].rank;
      if (is_shown && is_later) last = i;
    }
    if (columns[last].rank == 0) break;  // a table has at least one column
    least[last] = widths[last] = 0;
  }
  Shrink(columns, width, &widths);
  return widths;
}

}  // namespace

std::string CutToWidth(const std::string& text, int width, Column::Cut cut) {
  terminal::RowCells cells = terminal::CutIntoCells(text);
  auto size = static_cast<int>(cells.size());
  if (size <= width) return text;
  if (width <= 0) return "";
  int from = cut == Column::Cut::kEnd ? 0 : size - width + 1;
  // The right half of a wide glyph has no text of its own.
  std::string kept;
  for (int col = from; col < from + width - 1; ++col) {
    bool is_right_half = cells[col].empty();
    bool is_cut = !is_right_half && col + 1 < size && cells[col + 1].empty() &&
                  col + 2 == from + width;
    if (is_cut || (is_right_half && col == from)) kept += ' ';
    if (!is_cut) kept += cells[col];
  }
  return cut == Column::Cut::kEnd ? kept + "…" : "…" + kept;
}

Table FitTable(std::span<const Column> columns, Table rows, int width) {
  for (auto& cells : rows) {
    for (std::string& cell : cells) cell = ShowOnOneLine(cell);
  }
  std::vector<int> widths = WidthsFor(columns, rows, width);
  size_t last = columns.size() - 1;
  while (last > 0 && widths[last] == 0) --last;
  for (auto& cells : rows) {
    for (size_t i = 0; i < cells.size(); ++i) {
      cells[i] = CutToWidth(cells[i], widths[i], columns[i].cut);
      bool is_padded = widths[i] > 0 && i != last;
      if (is_padded) cells[i].append(widths[i] + kGap - WidthOf(cells[i]), ' ');
    }
  }
  return rows;
}

void PrintTable(Table rows) {
  for (auto& cells : rows) {
    for (std::string& cell : cells) cell = ShowOnOneLine(cell);
  }
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const auto& cells : rows) {
    for (size_t i = 0; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], cells[i].size());
    }
  }
  for (const auto& cells : rows) {
    std::string line;
    for (size_t i = 0; i + 1 < cells.size(); ++i) {
      line += cells[i] + std::string(widths[i] - cells[i].size() + 2, ' ');
    }
    Print("%s%s\n", line, cells.back());
  }
}

int PrintListing(const Options& options, const Json& list, const Table& table,
                 const char* nothing) {
  if (options.Has("json")) {
    Print("%s\n", DumpJson(list));
  } else if (!list.empty()) {
    PrintTable(table);
  } else {
    PrintError("%s\n", nothing);
  }
  return list.empty() ? 1 : 0;
}

}  // namespace glasstty

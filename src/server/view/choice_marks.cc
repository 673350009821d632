#include "view/choice_marks.h"

#include <algorithm>
#include <vector>

namespace glasstty::view {
namespace {

using GridRun = CellGrid::Run;

// Each glyph is a mark.
constexpr std::string_view kMarks = "○●◯◉◻◼☐☑☒✔✓⊙⦿◎□■▢▣⬡⬢";

bool IsMarkOf(std::string_view glyphs, std::string_view text) {
  return !text.empty() && glyphs.find(text) != std::string_view::npos;
}

struct Marked {
  GridRun run;  // the entry, from its mark on
  CellGrid::Cell mark, label;
  int label_col;
};

// A faint check mark means an empty box (enquirer).
std::string MarkedText(const CellGrid& grid, const Marked& one) {
  if (!IsMarkOf("✔✓", one.mark.text)) return grid.Text(one.run);
  bool off = (one.mark.style.attributes & terminal::kFaint) != 0;
  return (off ? "[ ] " : "[x] ") +
         grid.Text({one.run.row, one.label_col, one.run.last});
}

std::string ChosenOf(const CellGrid& grid, const std::vector<Marked>& list) {
  std::vector<const Marked*> filled, odd;
  bool radio = list.size() > 1;
  for (const Marked& one : list) {
    auto same = std::count_if(list.begin(), list.end(), [&](const Marked& o) {
      return o.label.style == one.label.style;
    });
    if (same == 1) odd.push_back(&one);
    if (one.mark.text == "●") filled.push_back(&one);
    radio = radio && IsMarkOf("●○", one.mark.text);
  }
  if (odd.size() == 1 && list.size() > 2) return MarkedText(grid, *odd[0]);
  return radio && filled.size() == 1 ? MarkedText(grid, *filled[0]) : "";
}

bool IsLined(const CellGrid& grid, int row, int col) {
  constexpr uint16_t kLine = terminal::kUnderlineLow | terminal::kUnderlineHigh;
  return (grid.At(row, col).style.attributes & kLine) != 0;
}

// Returns whether the panel is an underlined entry. Some wizards underline the
// chosen entry in a colour; an underlined heading has no colour, or a ground
// over the whole width.
bool IsLinedEntry(const CellGrid& grid, const GridRun& panel) {
  GridRun run = grid.RunAt(panel.row, panel.first);
  bool heads = run.ground != terminal::kDefaultColor && grid.IsWhole(run);
  if (heads) return false;
  GridRun whole = grid.Panel(panel.row, panel.first);
  auto beside = [&](int row) {
    GridRun other{row, whole.first, whole.last};
    return grid.IsInside(row) && grid.Start(other) == panel.first &&
           !IsLined(grid, row, panel.first);
  };
  return IsLined(grid, panel.row, panel.first) &&
         grid.At(panel.row, panel.first).style.foreground !=
             terminal::kDefaultColor &&
         (beside(panel.row - 1) || beside(panel.row + 1));
}

// The choice may look like "○ Yes / ● No", or like "Yes / No" with one of them
// underlined.
std::string ChosenOfTwo(const CellGrid& grid, int row, int slash) {
  auto text = [&](int col) { return grid.At(row, col).text; };
  auto lined = [&](int col) { return IsLined(grid, row, col); };
  int last = slash + 2, first = slash - 2;
  while (last + 1 < grid.cols() && (text(last + 1) != " " || text(last) != " "))
    ++last;
  while (first > 0 && MarkAt(grid, row, first) == 0 &&
         lined(first - 1) == lined(slash - 2)) {
    --first;
  }
  bool left = text(first) == "●" || lined(slash - 2);
  bool right = text(slash + 2) == "●" || lined(slash + 2);
  if (left == right) return "";
  return grid.Text(left ? GridRun{row, first, slash - 2}
                        : GridRun{row, slash + 2, last});
}

// Returns whether a separate check box begins here, or the next column of a
// table or window.
bool IsNext(const CellGrid& grid, int row, int col) {
  auto text = [&](int at) { return grid.At(row, at).text; };
  bool is_box = MarkAt(grid, row, col) == 3;
  return text(col) == "\u2502" ||
         (is_box && text(col - 1) == " " && text(col - 2) == " ");
}

// Returns the column of the last check box, or table column, before a label.
int LastBox(const CellGrid& grid, const GridRun& run) {
  int last = run.first;
  for (int col = last; col <= run.last; ++col) {
    if (IsNext(grid, run.row, col)) last = col;
  }
  return last;
}

}  // namespace

int MarkAt(const CellGrid& grid, int row, int col) {
  std::string_view open = grid.At(row, col).text;
  std::string_view close = grid.At(row, col + 2).text;
  bool box = (open == "[" && close == "]") || (open == "(" && close == ")");
  return box ? 3 : IsMarkOf(kMarks, open) ? 1 : 0;
}

bool IsInBox(const CellGrid& grid, const GridRun& run) {
  return run.cols() == 1 && MarkAt(grid, run.row, run.first - 1) == 3;
}

std::string EntryText(const CellGrid& grid, GridRun run) {
  if (IsInBox(grid, run)) run = {run.row, run.first - 1, run.first + 1};
  int start = std::max(grid.Start(run), run.first);
  GridRun panel = grid.Panel(run.row, run.first);
  int mark = MarkAt(grid, run.row, start);
  bool alone = mark > 0 && grid.Start({run.row, start + mark, run.last}) < 0;
  if (alone) run.last = panel.last;
  int before = grid.Start({run.row, panel.first, run.first - 1});
  bool has_box = before >= 0 && MarkAt(grid, run.row, before) > 0;
  if (has_box && mark == 0) {
    run.first = LastBox(grid, {run.row, before, run.first - 1});
  }
  // The lines of a tree may precede the label.
  int label = grid.Start({run.row, start + mark, run.last});
  for (int col = label + 1; label >= 0 && col <= run.last; ++col) {
    if (IsNext(grid, run.row, col)) run.last = col - 1;
  }
  return grid.Text(run);
}

std::string FindMarked(const CellGrid& grid) {
  std::vector<Marked> list;
  std::vector<std::string> lined;
  // The row after the last one ends the last list.
  for (int row = 0; row <= grid.rows(); ++row) {
    size_t before = list.size();
    for (const GridRun& panel : grid.Panels(row)) {
      for (int col = panel.first + 2; col + 2 <= panel.last; ++col) {
        bool slash = grid.At(row, col).text == "/" &&
                     grid.At(row, col - 1).text == " " &&
                     grid.At(row, col + 1).text == " ";
        if (!slash) continue;
        std::string chosen = ChosenOfTwo(grid, row, col);
        if (!chosen.empty()) return chosen;
      }
      if (IsLinedEntry(grid, panel)) lined.push_back(grid.Text(panel));
      int mark = MarkAt(grid, row, panel.first);
      int label = grid.Start({row, panel.first + mark, panel.last});
      if (list.size() > before || mark == 0 || label < 0) continue;
      list.push_back(
          {panel, grid.At(row, panel.first), grid.At(row, label), label});
    }
    if (list.size() > before) continue;
    std::string chosen = ChosenOf(grid, list);
    if (!chosen.empty()) return chosen;
    list.clear();
  }
  return lined.size() == 1 ? lined[0] : "";
}

}  // namespace glasstty::view

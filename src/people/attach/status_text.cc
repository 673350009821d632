#include "attach/status_text.h"

#include <algorithm>

#include "terminal/row_cells.h"

namespace glasstty::attach {
namespace {

// A name is not cut to fewer columns, in which it would be meaningless.
constexpr int kLeastName = 8;

int WidthOf(const std::string& text) {
  return static_cast<int>(terminal::CutIntoCells(text).size());
}

}  // namespace

std::string FirstThatFits(int cols, std::initializer_list<std::string> texts) {
  for (const std::string& text : texts) {
    if (WidthOf(text) <= cols) return text;
  }
  return texts.size() == 0 ? "" : *(texts.end() - 1);
}

std::string ShortName(const std::string& name, int cols) {
  int most = std::max(cols / 3, kLeastName);
  terminal::RowCells cells = terminal::CutIntoCells(name);
  if (static_cast<int>(cells.size()) <= most) return name;
  return terminal::CellsText(cells, 0, static_cast<size_t>(most - 1)) + "…";
}

std::string TypedLine(int cols, const std::string& label,
                      const std::string& typed) {
  terminal::RowCells cells = terminal::CutIntoCells(typed);
  size_t room = static_cast<size_t>(std::max(cols - WidthOf(label) - 1, 1));
  size_t from = cells.size() - std::min(cells.size(), room);
  std::string text = label;
  for (size_t i = from; i < cells.size(); ++i) text += cells[i];
  return text;
}

}  // namespace glasstty::attach

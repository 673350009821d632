#include "view/styled_screen.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_format.h"
#include "terminal/row_cells.h"
#include "view/render.h"

namespace glasstty::view {
namespace {

// SGR parameters (ECMA-48, 8.3.117; 53 is its overline). All underlines are
// shown as 4, because their kind does not matter to a reader.
struct AttributeRow {
  uint16_t bits;
  const char* parameter;
};
constexpr AttributeRow kAttributes[] = {
    {terminal::kBold, ";1"},
    {terminal::kFaint, ";2"},
    {terminal::kItalic, ";3"},
    {terminal::kUnderlineLow | terminal::kUnderlineHigh, ";4"},
    {terminal::kBlink, ";5"},
    {terminal::kReverse, ";7"},
    {terminal::kConceal, ";8"},
    {terminal::kStrike, ";9"},
    {terminal::kOverline, ";53"},
};

// `base` is 30 for the foreground, 40 for the background.
std::string ColorParameter(terminal::Color color, uint32_t base) {
  if (color == terminal::kDefaultColor) return "";
  uint32_t value = color & 0xFFFFFF;
  // 38;2;R;G;B and 38;5;N are xterm's forms of ISO 8613-6; 90 to 97 are the
  // bright ones of aixterm.
  if ((color & terminal::kRgbColor) != 0) {
    return absl::StrFormat(";%d;2;%d;%d;%d", base + 8, value >> 16,
                           value >> 8 & 0xFF, value & 0xFF);
  }
  if (value < 8) return absl::StrFormat(";%d", base + value);
  if (value < 16) return absl::StrFormat(";%d", base + 60 + value - 8);
  return absl::StrFormat(";%d;5;%d", base + 8, value);
}

std::string Sgr(const terminal::Style& style) {
  std::string parameters;
  for (const AttributeRow& row : kAttributes) {
    if ((style.attributes & row.bits) != 0) parameters += row.parameter;
  }
  parameters += ColorParameter(style.foreground, 30);
  parameters += ColorParameter(style.background, 40);
  // Omits the first ';'.
  return "\\e[" + parameters.substr(std::min<size_t>(1, parameters.size())) +
         "m";
}

// Keeps blanks at the end of a run, which may be coloured.
std::string StyledRow(const terminal::SnapshotRow& row) {
  terminal::RowCells cells = terminal::CutIntoCells(row);
  std::string text;
  size_t col = 0;
  // Copies up to this column; cells beyond the row's text are blanks.
  auto take_to = [&](size_t end) {
    for (; col < std::min(end, cells.size()); ++col) text += cells[col];
    for (; col < end; ++col) text += ' ';
  };
  for (const terminal::StyleRun& run : row.styles) {
    const int end = run.col + run.cols;
    take_to(static_cast<size_t>(run.col));
    text += Sgr(run.style);
    take_to(static_cast<size_t>(end));
    text += "\\e[m";
  }
  if (col < cells.size()) take_to(cells.size());
  return text;
}

}  // namespace

std::string RenderStyledScreen(const terminal::Snapshot& snapshot) {
  std::vector<std::string> rows;
  rows.reserve(snapshot.rows.size());
  for (const terminal::SnapshotRow& row : snapshot.rows)
    rows.push_back(StyledRow(row));
  return RenderRows(rows);
}

}  // namespace glasstty::view

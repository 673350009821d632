#include "observe/screen_json.h"

#include "absl/strings/str_format.h"
#include "observe/cells.h"

namespace glasstty::observe {
namespace {

Json ColorJson(terminal::Color color) {
  if (color == terminal::kDefaultColor) return nullptr;
  if ((color & terminal::kRgbColor) != 0) {
    return absl::StrFormat("#%06x", color & 0xFFFFFF);
  }
  return color & 0xFF;
}

Json StyleJson(const terminal::Style& style) {
  return Json::array({ColorJson(style.foreground), ColorJson(style.background),
                      style.attributes});
}

// Blanks without a style at the end are left out.
Json RowJson(const terminal::SnapshotRow& row, int cols) {
  PaintRow cells = PaintCells(row, cols);
  while (!cells.empty() && cells.back().IsBlank()) cells.pop_back();
  Json runs = Json::array();
  for (size_t i = 0; i < cells.size();) {
    size_t begin = i;
    std::string text;
    for (; i < cells.size() && cells[i].style == cells[begin].style; ++i) {
      text += cells[i].text;
    }
    Json run = Json::array({text, i - begin});
    if (!(cells[begin].style == terminal::Style())) {
      run.push_back(StyleJson(cells[begin].style));
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace

Json ScreenJson(const Frame* before, const Frame& after) {
  bool whole = before == nullptr || before->size != after.size;
  Json rows = Json::object();
  for (size_t i = 0; i < after.rows.size(); ++i) {
    const terminal::SnapshotRow& row = after.rows[i];
    bool same = !whole && before->rows[i].text == row.text &&
                before->rows[i].styles == row.styles;
    if (!same) rows[absl::StrFormat("%d", i)] = RowJson(row, after.size.cols);
  }
  bool cursor = whole || !(before->cursor == after.cursor) ||
                !(before->modes == after.modes);
  if (rows.empty() && !cursor) return Json::object();
  const terminal::Modes& modes = after.modes;
  return {{"t", "screen"},
          {"whole", whole},
          {"size", {after.size.rows, after.size.cols}},
          {"rows", std::move(rows)},
          {"cursor",
           {after.cursor.row, after.cursor.col, after.cursor.visible,
            modes.cursor_style}},
          {"reverse", modes.reverse_screen},
          {"mouse", modes.mouse != terminal::MouseTracking::kOff},
          {"paste", modes.bracketed_paste}};
}

}  // namespace glasstty::observe

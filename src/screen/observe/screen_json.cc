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

}  // namespace

// Omits trailing blanks without a style. A text whose width in fonts may differ
// from its columns is a run of its own, so that it does not displace other
// text.
Json RowJson(const terminal::SnapshotRow& row, int cols) {
  PaintRow cells = PaintCells(row, cols);
  while (!cells.empty() && cells.back().IsBlank()) cells.pop_back();
  Json runs = Json::array();
  for (size_t i = 0; i < cells.size();) {
    size_t begin = i;
    std::string text;
    bool is_alone = !HasSureWidth(cells[i].text);
    for (; i < cells.size() && cells[i].style == cells[begin].style; ++i) {
      bool is_right_half = cells[i].text.empty();
      if (i > begin && !is_right_half &&
          (is_alone || !HasSureWidth(cells[i].text))) {
        break;
      }
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

Json ScreenJson(const Frame* before, const Frame& after) {
  bool whole = before == nullptr || before->size != after.size;
  Json rows = Json::object();
  Json wrapped = Json::array();
  for (size_t i = 0; i < after.rows.size(); ++i) {
    const terminal::SnapshotRow& row = after.rows[i];
    bool same = !whole && before->rows[i].text == row.text &&
                before->rows[i].styles == row.styles &&
                before->rows[i].joints == row.joints &&
                before->rows[i].wrapped == row.wrapped;
    if (same) continue;
    rows[absl::StrFormat("%d", i)] = RowJson(row, after.size.cols);
    if (row.wrapped) wrapped.push_back(i);
  }
  bool cursor = whole || !(before->cursor == after.cursor) ||
                !(before->modes == after.modes);
  if (rows.empty() && !cursor) return Json::object();
  const terminal::Modes& modes = after.modes;
  Json json = {{"t", "screen"},
               {"whole", whole},
               {"size", {after.size.rows, after.size.cols}},
               {"rows", std::move(rows)},
               {"cursor",
                {after.cursor.row, after.cursor.col, after.cursor.visible,
                 modes.cursor_style}},
               {"reverse", modes.reverse_screen},
               {"mouse", modes.mouse != terminal::MouseTracking::kOff},
               {"paste", modes.bracketed_paste}};
  if (!wrapped.empty()) json["wrapped"] = std::move(wrapped);
  return json;
}

}  // namespace glasstty::observe

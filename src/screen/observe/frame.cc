#include "observe/frame.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "support/text.h"
#include "terminal/row_cells.h"
#include "terminal/terminal.h"

namespace glasstty::observe {
namespace {

// Returns columns [from, to) of a row.
terminal::SnapshotRow PartOf(const terminal::SnapshotRow& row, int from,
                             int to) {
  terminal::SnapshotRow part;
  part.wrapped = row.wrapped;
  part.concealed = row.concealed;
  part.changed = row.changed;
  terminal::RowCells cells = terminal::CutIntoCells(row);
  int end = std::min(to, static_cast<int>(cells.size()));
  for (int col = from; col < end; ++col) {
    bool is_right_half = cells[col].empty();
    bool is_left_half =
        col + 1 < static_cast<int>(cells.size()) && cells[col + 1].empty();
    bool is_cut =
        (is_right_half && col == from) || (is_left_half && col + 1 == to);
    part.text += is_cut ? std::string_view(" ") : cells[col];
  }
  part.text.resize(TrimTrailingBlanks(part.text).size());
  for (const terminal::Joint& joint : row.joints) {
    if (joint.col < from || joint.col + joint.cols > to) continue;
    part.joints.push_back({joint.col - from, joint.bytes, joint.cols});
  }
  for (const terminal::StyleRun& run : row.styles) {
    int first = std::max(run.col, from);
    int last = std::min(run.col + run.cols, to);
    if (first < last) {
      part.styles.push_back({first - from, last - first, run.style});
    }
  }
  return part;
}

// Returns the first visible row or column of a window, for one direction.
int Shift(int before, int window, int size, int cursor) {
  int first = std::clamp(before, cursor - window + 1, cursor);
  return std::clamp(first, 0, std::max(0, size - window));
}

}  // namespace

Frame FrameOf(terminal::Snapshot snapshot, const terminal::Modes& modes) {
  return {snapshot.size, snapshot.cursor, modes, std::move(snapshot.rows)};
}

Frame TakeFrame(const terminal::Terminal& terminal) {
  return FrameOf(terminal.TakeSnapshot(), terminal.modes());
}

Corner CornerOf(const Frame& frame, terminal::Size window, Corner before) {
  return {
      Shift(before.row, window.rows, frame.size.rows, frame.cursor.row),
      Shift(before.col, window.cols, frame.size.cols, frame.cursor.col),
  };
}

// Copies the modes unchanged, because keys are encoded for the whole screen.
Frame PartOf(const Frame& frame, terminal::Size window, Corner corner) {
  Frame part;
  part.modes = frame.modes;
  part.size = {std::min(window.rows, frame.size.rows - corner.row),
               std::min(window.cols, frame.size.cols - corner.col)};
  part.cursor = frame.cursor;
  part.cursor.row -= corner.row;
  part.cursor.col -= corner.col;
  bool is_inside = part.cursor.row >= 0 && part.cursor.row < part.size.rows &&
                   part.cursor.col >= 0 && part.cursor.col < part.size.cols;
  if (!is_inside) part.cursor = {.visible = false};
  int end = corner.col + part.size.cols;
  // A pending wrap is at the edge of the screen, which may be outside of the
  // part.
  if (end < frame.size.cols) part.cursor.pending_wrap = false;
  part.rows.reserve(static_cast<size_t>(part.size.rows));
  for (int row = 0; row < part.size.rows; ++row) {
    const int source = corner.row + row;
    auto from = static_cast<size_t>(source);
    part.rows.push_back(from < frame.rows.size()
                            ? PartOf(frame.rows[from], corner.col, end)
                            : terminal::SnapshotRow());
  }
  return part;
}

}  // namespace glasstty::observe

// A row of cells, and functions that read and trim it. A plain value; the grid
// owns rows and keeps them in order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "terminal/cell.h"
#include "terminal/clusters.h"
#include "terminal/snapshot.h"

namespace glasstty::terminal {

struct Row {
  // Cells from `used` on are default blanks, whatever the vector contains
  // there, so clearing a row costs nothing. After the screen has become
  // narrower, `used` may exceed the screen's width until the row is written
  // again, so that widening the screen restores the text.
  std::vector<Cell> cells;
  int used = 0;
  bool wrapped = false;  // continues the row above
  // Since the row was cleared, it has contained only printed ASCII in the
  // default style, without gaps and tabs.
  bool plain = false;
  // Cells may have flags from kTabStart on, because the row may contain a tab.
  bool has_tabs = false;
  // A combining mark may have a cell of its own, because PlainText has drawn
  // the row.
  bool has_lone_marks = false;
  // The row may contain a joint (ClusterTable::IsJoint).
  bool has_joints = false;
  // The number of carriage returns that were printed directly before the line
  // feed, not counting the one that a terminal driver adds. A line of a CR LF
  // file has one.
  uint8_t returns = 0;
  // Tabs printed with the cursor in the last column do not move it. [0] counts
  // those before that column got a glyph, and [1] those after. Each number is
  // valid while a cell has the corresponding flag (kStuckFlags).
  static constexpr uint16_t kMostStuckTabs = 1000;
  std::array<uint16_t, 2> stuck_tabs = {};
  // The row appeared by scrolling and nothing in it has been erased since, so a
  // combining mark beyond `used` has nothing to join.
  bool untouched = false;
  uint64_t line_revision = 0;  // the revision when the text last changed or got
                               // a new line number

  // Extends the used cells to column `col` with blanks. REQUIRES: col <=
  // cells.size().
  void Reach(int col) {
    if (used >= col) return;
    FillCells(Cell(), cells.data() + used, cells.data() + col);
    used = col;
    plain = false;
  }
  // Removes the cells from column `cols` on, and a wide glyph that this splits.
  // REQUIRES: cols > 0.
  void Cut(int cols) {
    if (used > cols) CutOff(cols);
  }
  // Blanks the halves of wide glyphs that lost their other half when cells were
  // moved or erased. When glyphs are written, the grid does that itself.
  void Repair();
  // Returns true if nothing was ever printed in the row, or everything was
  // erased.
  bool IsBlank() const;
  // Returns true if the row contains anything other than spaces and blanks.
  bool HasText() const;
  // Returns true if the first `cols` columns contain more than a few word
  // characters that people cannot read (IsUnreadable).
  bool ConcealsSome(int cols) const;
  // Appends the visible text of the first `cols` columns, without trailing
  // blanks other than printed spaces.
  void AppendText(int cols, const ClusterTable& clusters,
                  std::string* out) const;

  // --- text as it was printed, for lines ---
  // Returns one past the last of the first `cols` columns in which something
  // was printed, including spaces and tabs.
  int PrintedEnd(int cols) const;
  // Returns the number of columns of the tab that begins at `col` and ends
  // before `end`; 0 if there is no such tab, a part of it was overwritten, or
  // its cells differ in style.
  int TabColumns(int col, int end) const;
  // Returns the number of tabs that were printed after a cell with these flags
  // and did not move the cursor.
  int StuckTabs(int flags) const;
  // Appends the first `cols` columns as they were printed: tabs are tabs, and
  // trailing spaces are included.
  void AppendPrinted(int cols, const ClusterTable& clusters,
                     std::string* out) const;
  // Appends the whole row, and the carriage returns at its end.
  void AppendLine(const ClusterTable& clusters, std::string* out) const;

  std::vector<StyleRun> Styles(int cols) const;
  // Returns the joints of the first `cols` columns.
  std::vector<Joint> Joints(int cols, const ClusterTable& clusters) const;

 private:
  void CutOff(int cols);
};

}  // namespace glasstty::terminal

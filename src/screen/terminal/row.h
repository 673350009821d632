// A row of cells, and functions that read it. A plain value; the grid owns rows
// and keeps them in order.
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
  // there, so clearing a row costs nothing. After the screen became narrower,
  // `used` may exceed its width until the row is written again, so that
  // widening the screen brings the text back.
  std::vector<Cell> cells;
  int used = 0;
  bool wrapped = false;  // continues the row above
  // The row contains only printed ASCII in the default style, without gaps and
  // tabs. Only rows that have been so since they were cleared are marked.
  bool plain = false;
  // It may contain a tab: cells have flags from kTabStart on.
  bool has_tabs = false;
  // A mark may have a cell to itself, for instance where text is shown as
  // written.
  bool has_lone_marks = false;
  // A glyph of several code points may have another width than these have
  // separately.
  bool has_joints = false;
  // The number of carriage returns that were printed directly before the line
  // feed, beyond the one that a terminal driver adds: the row ends a line of a
  // CR LF file.
  uint8_t returns = 0;
  // Counts the tabs that were printed with the cursor in the last column, where
  // they do not move it: before a glyph was there, and after it. They count
  // while a cell has the flag.
  static constexpr uint16_t kMostStuckTabs = 1000;
  std::array<uint16_t, 2> stuck_tabs = {};
  // The row appeared by scrolling and nothing in it has been erased since, so a
  // mark beyond `used` has nothing to join.
  bool untouched = false;
  uint64_t line_revision = 0;  // when its text last changed or got a new number

  // Makes the cells before `col` explicit. REQUIRES: col <= cells.size().
  void Reach(int col) {
    if (used >= col) return;
    // Writing beyond the end leaves blanks in between.
    FillCells(Cell(), cells.data() + used, cells.data() + col);
    used = col;
    plain = false;
  }
  // Forgets the text beyond a screen of `cols` columns.
  void Cut(int cols) {
    if (used > cols) CutOff(cols);
  }
  // Blanks the halves of wide glyphs that lost their other half when cells were
  // moved or erased; for writes, the grid does that.
  void Repair();
  // Returns whether nothing was ever printed here, or everything was erased.
  bool IsBlank() const;
  // Returns whether there is something other than spaces.
  bool HasText() const;
  // Returns whether the first `cols` columns contain text that nobody can read.
  bool ConcealsSome(int cols) const;
  // Appends what the first `cols` columns show, without trailing blanks that
  // nobody printed.
  void AppendText(int cols, const ClusterTable& clusters,
                  std::string* out) const;

  // --- what was printed, for lines ---
  // Returns one past the last of the first `cols` columns that was printed,
  // even if only blanks or a tab were.
  int PrintedEnd(int cols) const;
  // Returns the columns of the tab that begins at `col` and ends before `end`;
  // 0 if there is none, or a part of it is gone.
  int TabColumns(int col, int end) const;
  // Returns the number of tabs that did not move the cursor from its position
  // after this cell.
  int StuckTabs(const Cell& cell) const;
  // Appends the first `cols` columns as they were printed: tabs are tabs, and
  // trailing blanks are included if a program printed them.
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

// One row of cells and how it is read. A plain value; the grid owns rows and
// keeps them in order.
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
  // Cells from `used` on are default blanks, whatever the vector holds there:
  // clearing a row costs nothing. After the screen became narrower `used` may
  // exceed its width until the row is written again, so that making it wide
  // again brings the text back.
  std::vector<Cell> cells;
  int used = 0;
  bool wrapped = false;  // continues the row above
  // Nothing but printed ASCII in the default style, without gaps and tabs. Only
  // such rows are marked that were so from their clearing on.
  bool plain = false;
  // A tab may be left in it: cells have flags from kTabStart on.
  bool has_tabs = false;
  // A mark may have a cell to itself, as where text is shown as written.
  bool has_lone_marks = false;
  // Carriage returns that were printed right before the line feed, beyond the
  // one that a terminal driver adds: the row ends a line of a CR LF file.
  uint8_t returns = 0;
  // How many tabs were printed with the cursor in the last column, where they
  // do not move it: before a glyph stood there, and behind it. They count while
  // a cell has the flag.
  static constexpr uint16_t kMostStuckTabs = 1000;
  std::array<uint16_t, 2> stuck_tabs = {};
  // It came by scrolling and nothing in it was erased since: a mark beyond
  // `used` has nothing to join.
  bool untouched = false;
  uint64_t line_revision = 0;  // when its text last changed or got a new number

  // Makes the cells before `col` explicit.
  // REQUIRES: col <= cells.size().
  void Reach(int col) {
    if (used >= col) return;
    // Writing beyond the end leaves blanks between.
    FillCells(Cell(), cells.data() + used, cells.data() + col);
    used = col;
    plain = false;
  }
  // Forgets what lies beyond a screen of `cols` columns.
  void Cut(int cols) {
    if (used > cols) CutOff(cols);
  }
  // Blanks the halves of wide glyphs that lost their other half when cells were
  // moved or erased; a write cuts them in the grid.
  void Repair();
  // Nothing was ever printed here, or it was erased.
  bool IsBlank() const;
  // Something but spaces is here.
  bool HasText() const;
  // Among the first `cols` columns is text that nobody can read.
  bool ConcealsSome(int cols) const;
  // What the first `cols` columns show, without the blanks that nobody printed
  // at the end.
  void AppendText(int cols, const ClusterTable& clusters,
                  std::string* out) const;

  // --- what was printed, for lines ---
  // One past the last of the first `cols` columns that was printed, be it with
  // blanks or a tab.
  int PrintedEnd(int cols) const;
  // Columns of the tab that begins at `col` and lies before `end`. 0: none
  // does, or not all of it is left.
  int TabColumns(int col, int end) const;
  // Tabs that did not move the cursor away from behind this cell.
  int StuckTabs(const Cell& cell) const;
  // The first `cols` columns as they were printed: tabs are tabs, and blanks at
  // the end are there if a program printed them.
  void AppendPrinted(int cols, const ClusterTable& clusters,
                     std::string* out) const;
  // All of the row, and the carriage returns at its end.
  void AppendLine(const ClusterTable& clusters, std::string* out) const;

  std::vector<StyleRun> Styles(int cols) const;

 private:
  void CutOff(int cols);
};

}  // namespace glasstty::terminal

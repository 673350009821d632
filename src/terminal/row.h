// One row of cells and how it is read. A plain value; the grid owns rows and
// keeps them in order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terminal/cell.h"
#include "terminal/clusters.h"
#include "terminal/snapshot.h"

namespace glasstty {

struct Row {
  // Cells from `used` on are default blanks, whatever the vector holds there:
  // clearing a row costs nothing. After the screen became narrower `used` may
  // exceed its width until the row is written again, so that making it wide
  // again brings the text back.
  std::vector<Cell> cells;
  int used = 0;
  bool wrapped = false;  // continues the row above
  // Nothing but ASCII and blanks in the default style, for sure. Only such rows
  // are marked that were so from their clearing on.
  bool plain = false;
  uint64_t line_revision = 0;  // when its text last changed or got a new number

  // Makes the cells before `col` explicit.
  // REQUIRES: col <= cells.size().
  void Reach(int col) {
    // Writing beyond the end leaves blanks between.
    while (used < col) cells[used++] = Cell();
  }
  // Forgets what lies beyond a screen of `cols` columns.
  void Cut(int cols) {
    if (used > cols) CutOff(cols);
  }
  // Blanks the halves of wide glyphs that lost their other half.
  void Repair();
  // Nothing was ever printed here, or it was erased.
  bool IsBlank() const;
  // Something but spaces is here.
  bool HasText() const;
  // Among the first `cols` columns is text that nobody can read.
  bool ConcealsSome(int cols) const;
  // What the first `cols` columns show, without the blanks that nobody
  // printed or coloured at the end.
  void AppendText(int cols, const ClusterTable& clusters,
                  std::string* out) const;
  std::vector<StyleRun> Styles(int cols) const;

 private:
  void CutOff(int cols);
};

}  // namespace glasstty

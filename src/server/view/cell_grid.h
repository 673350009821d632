// Presents a snapshot as a grid in which every cell has its text and its look,
// and compares its rows. Does not decide what a look means. Borrows the
// snapshot's text, so the snapshot must outlive the grid. Any thread may use
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::view {

class CellGrid {
 public:
  // The ground is the background colour; all reverse video counts as one
  // ground.
  using Ground = terminal::Color;
  static constexpr Ground kReversed = ~Ground{0};
  struct Cell {
    std::string_view text = " ";  // "" is the right half of a wide glyph
    terminal::Style style;
    Ground ground = terminal::kDefaultColor;
    // The first and last column of the run of cells with this ground.
    int first = 0, last = 0;
    bool is_word = false;
  };
  // A run has the columns [first, last]; `ground` is that of its first column.
  struct Run {
    int row = 0, first = 0, last = 0;
    Ground ground = terminal::kDefaultColor;
    int cols() const { return last - first + 1; }
    bool operator==(const Run&) const = default;
  };

  // All four sides are inclusive.
  struct Rect {
    int top = 0, bottom = 0, left = 0, right = 0;
  };

  explicit CellGrid(const terminal::Snapshot& screen);

  // Returns the frame around a cell, including the lines of the frame; nullopt
  // if there are no such lines on both sides of the cell.
  std::optional<Rect> FrameAround(int row, int col) const;
  // Blanks everything outside of `rect`.
  void KeepOnly(const Rect& rect);

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  // Returns a blank for a place outside of the screen.
  const Cell& At(int row, int col) const;
  Ground GroundAt(int row, int col) const { return At(row, col).ground; }
  bool IsInside(int row) const { return row >= 0 && row < rows_; }

  // RunAt returns the run of cells with one ground that contains this cell.
  // LastIn returns the last run of a row, or the run before if the last one has
  // the default ground. Runs returns all runs of a row.
  Run RunAt(int row, int col) const;
  Run LastIn(int row) const;
  std::vector<Run> Runs(int row) const;
  // A panel is the part of a row between two frames or edges of the screen.
  // Panels returns the panels of a row that have words, each from its first
  // word on.
  Run Panel(int row, int col) const;
  std::vector<Run> Panels(int row) const;
  bool ReachesEdge(const Run& run) const { return run.last + 1 == cols_; }
  bool IsWhole(const Run& run) const {
    return run.first == 0 && ReachesEdge(run);
  }

  // Start returns the column of the first word, or -1. IsEdge returns whether a
  // word begins (with `end`: ends) in the column. Text leaves out frames and
  // repeated blanks.
  int Start(const Run& run) const;
  bool IsEdge(const Run& run, int col, bool end) const;
  std::string Text(const Run& run) const;

  // An island is a run that is surrounded by other grounds. A run of the
  // default ground counts only as a hole in another ground.
  bool IsIsland(const Run& run) const;
  // Rows are alike if half of the words of one begin, or end, in the same
  // columns as words of the other. Unless the run is a whole row, it suffices
  // that the first words begin, or the last words end, in the same column.
  bool IsAlike(const Run& run, int row) const;
  // Returns true if the other row has a run in the same columns, or a single
  // ground in these columns and the same grounds as this row beside them.
  bool IsSamePlace(const Run& run, int row) const;
  // Returns the ground of the similar rows above and below if this row's
  // differs, else nullopt.
  std::optional<Ground> GroundOfList(const Run& run) const;

 private:
  void FindRuns(int row);
  // Returns true if the run differs from its surroundings. GroundOfList calls
  // this if there is at most one other entry, whose ground is `ground`. A run
  // over a whole row differs if an entry or a heading is above it; `above` is
  // the number of entries above it.
  bool IsSurrounded(const Run& run, std::optional<Ground> ground,
                    int above) const;
  bool IsUnderHeading(const Run& run, std::optional<Ground> ground) const;

  int rows_, cols_;
  std::vector<Cell> cells_;
};

// A word is anything but blanks and parts of frames.
inline bool IsWord(const CellGrid::Cell& cell) { return cell.is_word; }

// Inline because the rules read each cell many times.
inline const CellGrid::Cell& CellGrid::At(int row, int col) const {
  static const Cell nothing;
  bool there = row >= 0 && row < rows_ && col >= 0 && col < cols_;
  return there ? cells_[static_cast<size_t>(row) * static_cast<size_t>(cols_) +
                        static_cast<size_t>(col)]
               : nothing;
}

}  // namespace glasstty::view

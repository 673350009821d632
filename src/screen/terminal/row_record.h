// A row of cells as a compact and complete record of bytes, which the
// scrollback stores, and from which the row can be restored.
//
// The text of a record is the row as it was printed (Row::AppendLine), so lines
// can be read without decoding records. The record also contains what the text
// lacks: style runs that differ from the default, and gaps, which are blanks
// that nobody printed and the columns of tabs. Pure functions, except for the
// encoder's scratch memory.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "terminal/clusters.h"
#include "terminal/row.h"

namespace glasstty::terminal {

// A style that applies from a column on.
struct RecordRun {
  uint16_t col;
  uint16_t attributes;
  Color foreground;
  Color background;
};

// A fact about a position that the text does not show. Depending on the kind:
// the `count` columns from `col` on are blanks that nobody printed, or one tab;
// or `count` tabs after the cell before `col` did not move the cursor; or the
// mark after the `count` marks of that cell has the cell at `col` to itself; or
// the glyph at `col` is a joint (Row::has_joints) of `count` code points. The
// text omits blanks that nobody printed at the end of the row; a background may
// extend over them.
struct RecordGap {
  enum Kind : uint16_t {
    kBlanks,
    kTab,
    kStuckTabs,
    kLoneMark,
    kNarrowJoint,
    kWideJoint
  };
  static constexpr int kMostCount = 0x1FFF;
  uint16_t col;
  uint16_t kind : 3;
  uint16_t count : 13;
};
static_assert(sizeof(RecordGap) == 4);

struct RowRecord {
  std::string_view text;
  std::string_view runs;  // RecordRuns as they are in memory
  std::string_view gaps;  // likewise RecordGaps
  bool conceals = false;  // one of the styles hides text
};

class RowEncoder {
 public:
  // The result is valid until the next call.
  RowRecord Encode(const Row& row, const ClusterTable& clusters);
  size_t MemoryBytes() const;

 private:
  void EncodePlain(const Row& row);
  void EncodeAll(const Row& row, const ClusterTable& clusters);
  void EncodeCells(const Row& row, const ClusterTable& clusters, int begin,
                   int end);
  // Add the gap that begins at `col`: a tab, or blanks of one style that nobody
  // printed. Return its columns; AddTab returns 0 if there is no tab.
  int AddTab(const Row& row, int col, int end);
  int AddBlanks(const Row& row, int col, int end);
  void PushGap(int col, RecordGap::Kind kind, int count);

  // Scratch memory; sufficient for any row so far.
  std::vector<char> text_;
  std::vector<RecordRun> runs_;
  std::vector<RecordGap> gaps_;
  // The positions of the next items.
  char* out_ = nullptr;
  RecordRun* run_ = nullptr;
  RecordGap* gap_ = nullptr;
  bool conceals_ = false;
  const Cell* style_ = nullptr;  // a cell in the style of the last run
};

// Fills cells, `returns` and the stuck tabs of `row`; its cells grow if
// necessary.
void DecodeRow(const RowRecord& record, Row* row, ClusterTable* clusters);

}  // namespace glasstty::terminal

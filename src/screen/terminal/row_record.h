// A row of cells as a compact record of bytes, which the scrollback stores, and
// from which the row's text and styles can be restored.
//
// The text of a record is the row as it was printed (Row::AppendLine), so lines
// can be read without decoding records. The record also contains what cannot be
// derived from the text: styles and gaps. A gap describes blanks that were not
// printed, a tab, or a glyph whose columns do not follow from its code points.
// Pure functions, except for the encoder's scratch memory.
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

// Describes columns that the text alone does not determine. The text omits
// unprinted blanks at the end of the row; if they have a background, gaps and
// runs describe them.
struct RecordGap {
  enum Kind : uint16_t {
    kBlanks,       // the `count` columns from `col` on were not printed
    kTab,          // the `count` columns from `col` on are one tab
    kStuckTabs,    // `count` tabs, printed after column `col` - 1, did not move
                   // the cursor
    kLoneMark,     // the cell at `col` contains only a combining mark; the cell
                   // before it has `count` marks
    kNarrowJoint,  // the glyph at `col` is a joint (terminal/snapshot.h) of
                   // `count` code points in one column
    kWideJoint     // like kNarrowJoint, but in two columns
  };
  static constexpr int kMostCount = 0x1FFF;
  uint16_t col;
  uint16_t kind : 3;
  uint16_t count : 13;
};
static_assert(sizeof(RecordGap) == 4);

struct RowRecord {
  std::string_view text;
  std::string_view runs;  // an array of RecordRun, as bytes
  std::string_view gaps;  // an array of RecordGap, as bytes
  bool conceals = false;  // at least one of the styles is unreadable
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
  // Add the gap that begins at `col`: a tab, or blanks of one style that were
  // not printed. Return the number of columns that the gap takes from `col` on;
  // AddTab returns 0 if there is no tab.
  int AddTab(const Row& row, int col, int end);
  int AddBlanks(const Row& row, int col, int end);
  void PushGap(int col, RecordGap::Kind kind, int count);

  // Scratch memory, which is large enough for all rows so far.
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

// Restores the cells of `row` and all members that describe them; enlarges
// `row->cells` if necessary. `wrapped`, `untouched` and `line_revision` keep
// their values.
void DecodeRow(const RowRecord& record, Row* row, ClusterTable* clusters);

}  // namespace glasstty::terminal

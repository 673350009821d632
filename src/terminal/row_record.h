// A row of cells as a record of bytes, compact and complete: what the
// scrollback keeps of a row, and how a row is made of it again.
//
// The text of a record is the row as it was printed (Row::AppendLine), so that
// lines can be read without taking records apart. What the text does not tell
// is beside it: style runs where they differ from the default, and gaps, which
// are blanks that nobody printed and the columns of tabs. Pure functions but
// for the encoder's scratch memory.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "terminal/clusters.h"
#include "terminal/row.h"

namespace glasstty::terminal {

// A style from a column on.
struct RecordRun {
  uint16_t col;
  uint16_t attributes;
  Color foreground;
  Color background;
};

// What the text does not tell of `count` columns from `col` on: that nobody
// printed the blanks there, or that they are one tab; or that `count` tabs
// behind the cell before `col` did not move the cursor; or that the mark behind
// the `count` marks of that cell has the cell at `col` to itself. Blanks that
// nobody printed are not in the text when they are the last thing in the row; a
// background may reach over them.
struct RecordGap {
  enum Kind : uint16_t { kBlanks, kTab, kStuckTabs, kLoneMark };
  uint16_t col;
  uint16_t kind : 2;
  uint16_t count : 14;
};
static_assert(sizeof(RecordGap) == 4);

struct RowRecord {
  std::string_view text;
  std::string_view runs;  // as they lie in memory
  std::string_view gaps;  // the same
  bool conceals = false;  // one of the styles hides text
};

class RowEncoder {
 public:
  // Valid until the next call.
  RowRecord Encode(const Row& row, const ClusterTable& clusters);
  size_t MemoryBytes() const;

 private:
  void EncodePlain(const Row& row);
  void EncodeAll(const Row& row, const ClusterTable& clusters);
  void EncodeCells(const Row& row, const ClusterTable& clusters, int begin,
                   int end);
  // Columns of the tab, or else of the blanks of one style that nobody printed,
  // that begin there. 0: no tab does.
  int AddTab(const Row& row, int col, int end);
  int AddBlanks(const Row& row, int col, int end);
  void PushGap(int col, RecordGap::Kind kind, int count);

  // Scratch: more than any row needs that came so far.
  std::vector<char> text_;
  std::vector<RecordRun> runs_;
  std::vector<RecordGap> gaps_;
  // Where the next goes.
  char* out_ = nullptr;
  RecordRun* run_ = nullptr;
  RecordGap* gap_ = nullptr;
  bool conceals_ = false;
  const Cell* style_ = nullptr;  // one of the last run
};

// Fills cells, `returns` and the stuck tabs of `row`; its cells grow when
// needed.
void DecodeRow(const RowRecord& record, Row* row, ClusterTable* clusters);

}  // namespace glasstty::terminal

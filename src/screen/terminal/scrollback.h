// Rows that have left the top of the primary screen, stored compactly, and the
// numbering of lines.
//
// Rows are records (row_record.h), packed into slabs of 64 KiB. At most
// `max_rows` rows are kept, and at most about 1 KiB per row on average; the
// oldest rows are dropped first. A line gets its number when it arrives, and
// keeps it. A wrapped row is part of the line of the row before.
//
// Dropped rows can be collected as text (TakeEvicted), for callers that store
// more than fits into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "terminal/clusters.h"
#include "terminal/row.h"
#include "terminal/row_record.h"

namespace glasstty::terminal {

class Scrollback {
 public:
  struct RowView {
    int64_t line = 0;
    uint64_t revision = 0;
    bool wrapped = false;
    bool concealed = false;  // Row::ConcealsSome
    std::string_view text;   // valid until the scrollback changes
  };

  struct Options {
    int max_rows = 0;  // 0: lines are counted, but no rows are kept
    bool keep_evicted = false;
  };
  explicit Scrollback(const Options& options);

  // Appends the content of the row, including cells beyond the edge of a
  // narrowed screen.
  void Push(const Row& row, const ClusterTable& clusters);
  // Moves the newest row back into `row`, whose cells grow if necessary.
  // Returns false if no row is left that was pushed since the last SetFloor.
  bool Pop(Row* row, ClusterTable* clusters);
  // Records that the newest line has changed, because its end has moved.
  void TouchNewest(uint64_t revision);
  // Sets the number of the first line. REQUIRES: nothing has been pushed.
  void NumberFrom(int64_t line) { next_line_ = line; }
  // Records that `lines` lines are missing after the newest one.
  void SkipNumbers(int64_t lines) { next_line_ += lines; }
  // Makes sure that the present rows never return to the screen, because it was
  // cleared.
  void SetFloor() { pops_ = 0; }
  // Returns the text of the rows that were dropped since the last call; only
  // with keep_evicted. Lines are separated by newlines, and the last one may
  // continue in the next result: all results joined are the text of all dropped
  // lines.
  std::string TakeEvicted() {
    std::string taken = std::exchange(evicted_, {});
    evicted_.reserve(taken.size());  // the next call probably returns as much
    return taken;
  }

  // Rows are numbered from the oldest that is kept.
  size_t rows() const { return index_.size(); }
  RowView row(size_t i) const;
  // Restores the text and styles of stored row `i` in `row`, and enlarges
  // `row->cells` if necessary.
  void Decode(size_t i, Row* row, ClusterTable* clusters) const;
  // The number of rows that were dropped since the beginning.
  int64_t dropped() const { return dropped_; }
  // The number of the next line.
  int64_t next_line() const { return next_line_; }
  int64_t first_line() const;
  // Returns the first row of the first line >= `line`.
  size_t LowerBound(int64_t line) const;
  // The number of bytes of the newest line's text, including rows that were
  // dropped since it became the newest line. Cached, because lines may be long.
  size_t newest_line_bytes() const { return newest_line_bytes_; }
  size_t MemoryBytes() const;

 private:
  static constexpr uint32_t kSlabSize = 64 * 1024;
  struct Slab {
    std::unique_ptr<char[]> bytes;
    uint32_t used = 0;
  };
  struct Place {
    uint32_t slab = 0;  // its number, counted from the first slab ever
    uint32_t offset = 0;
  };

  const char* At(Place place) const;
  char* Allocate(size_t size);
  void EvictFront();
  void CollectEvicted(std::string_view text, bool wrapped);
  void CountNewestLine();

  // Constant.
  const size_t max_rows_;
  const size_t max_slabs_;
  const bool keep_evicted_;
  // State.
  std::deque<Slab> slabs_;
  // The last slab that was dropped, for reuse: this saves the page faults of a
  // new one (measured by terminal_bench, feed/seq).
  std::unique_ptr<char[]> spare_;
  uint32_t first_slab_ = 0;  // number of slabs_.front()
  std::deque<Place> index_;
  int64_t dropped_ = 0;
  int64_t next_line_ = 0;
  size_t pops_ = 0;  // rows since the floor, which Pop may return
  size_t newest_line_bytes_ = 0;
  std::string evicted_;
  bool any_evicted_ = false;
  RowEncoder encoder_;
};

}  // namespace glasstty::terminal

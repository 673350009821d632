// Rows that left the top of the primary screen, kept compactly, and the
// numbering of lines.
//
// A row is a record (row_record.h), packed into slabs of 64 KiB; the oldest go
// first, a slab at a time when memory is full, so memory is bounded by
// `max_rows` and by 1 KiB a row on average. Lines are numbered when they arrive
// and never again: a row that is wrapped belongs to the line of the row before.
//
// What is dropped can be collected as text (TakeEvicted), by whoever keeps more
// than memory holds.
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
    int max_rows = 0;  // 0: rows are counted and not held
    bool keep_evicted = false;
  };
  explicit Scrollback(const Options& options);

  // Appends what is in the row, also beyond the edge of a narrowed screen.
  void Push(const Row& row, const ClusterTable& clusters);
  // Takes the newest row back into `row`, whose cells it grows when needed.
  // False when there is none above the floor.
  bool Pop(Row* row, ClusterTable* clusters);
  // The newest line changed: it ends elsewhere.
  void TouchNewest(uint64_t revision);
  // REQUIRES: nothing was pushed. The first line that comes has this number.
  void NumberFrom(int64_t line) { next_line_ = line; }
  // What is here now never comes back to the screen: it was cleared away.
  void SetFloor() { pops_ = 0; }
  // Text of the rows that were dropped since the last call; with keep_evicted
  // only. A newline stands between two lines, so the last one may go on. All
  // calls together give all lines.
  std::string TakeEvicted() {
    std::string taken = std::exchange(evicted_, {});
    evicted_.reserve(taken.size());  // as much comes next time
    return taken;
  }

  // Rows are numbered from the oldest that is held.
  size_t rows() const { return index_.size(); }
  RowView row(size_t i) const;
  // The number that the next line will get.
  int64_t next_line() const { return next_line_; }
  int64_t first_line() const;
  // The first row of the first line >= `line`.
  size_t LowerBound(int64_t line) const;
  // Bytes of text that the newest line has here; kept, for lines may be long.
  size_t newest_line_bytes() const { return newest_line_bytes_; }
  size_t MemoryBytes() const;

 private:
  static constexpr uint32_t kSlabSize = 64 * 1024;
  struct Slab {
    std::unique_ptr<char[]> bytes;
    uint32_t used = 0;
  };
  struct Place {
    uint32_t slab = 0;  // counted since the beginning
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
  // The last one that was dropped, for the next: saves the page faults of a
  // fresh one (terminal_bench, feed/seq).
  std::unique_ptr<char[]> spare_;
  uint32_t first_slab_ = 0;  // number of slabs_.front()
  std::deque<Place> index_;
  int64_t next_line_ = 0;
  size_t pops_ = 0;  // rows above the floor
  size_t newest_line_bytes_ = 0;
  std::string evicted_;
  bool any_evicted_ = false;
  RowEncoder encoder_;
};

}  // namespace glasstty::terminal

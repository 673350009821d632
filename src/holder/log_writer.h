// Appends the program's output to the raw log, and survives a full disk.
//
// Owns the open segment and, while the disk refuses writes, the bytes that it
// did not take (`held`). Offsets always count the program's bytes. Removes old
// segments to stay below the cap, but never bytes that an attached server has
// not acknowledged. Borrows the directory.
//
// Invariant: first() <= disk_end() <= held_offset() <= end(). The bytes between
// disk_end() and held_offset() are lost from the log. Once the disk accepts
// writes again, the log continues with a new segment after them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace glasstty::holder {

// Kept in memory while the disk is full.
inline constexpr size_t kMaxHeld = 256 << 10;

class LogWriter {
 public:
  LogWriter(int dir_fd, std::string stem, uint64_t cap);

  // Creates the first segment. False with errno.
  bool Open();
  // Goes on behind the segments that are there. False with errno.
  bool Resume();
  // Never fails: what the disk refuses is held, and beyond kMaxHeld the
  // oldest is dropped unless a server is attached that has yet to get it.
  void Append(std::string_view data);
  // The bytes from end() to `offset` are lost; what comes next is held, and
  // goes behind them with the next Retry.
  void Skip(uint64_t offset);
  // Tries the disk again with what is held.
  void Retry();

  // What a server has consumed. Nobody attached: everything may go.
  void SetReader(bool attached, uint64_t acked);
  void SetCap(uint64_t cap);

  uint64_t first() const {
    return segments_.empty() ? 0 : segments_.front().start;
  }
  uint64_t disk_end() const { return disk_end_; }
  uint64_t held_offset() const { return disk_end_ + lost_; }
  uint64_t end() const { return held_offset() + held_.size(); }
  std::string_view held() const { return held_; }
  // Held bytes that no server, present or former, has consumed.
  size_t unsaved() const;
  // No room to hold more without losing something.
  bool IsFull() const { return unsaved() >= kMaxHeld; }

 private:
  struct Segment {
    uint64_t start;
    uint64_t size;
  };

  bool OpenSegment(uint64_t start);
  size_t WriteToDisk(std::string_view data);
  size_t WriteToSegment(std::string_view data);
  bool MakeRoom(int error);
  bool RemoveOldest();
  void DropEmptySegment();
  void EnforceCap();
  void TrimHeld();

  // constant
  const int dir_fd_;
  const std::string stem_;
  // state
  uint64_t cap_;
  UniqueFd fd_;                   // of segments_.back()
  std::deque<Segment> segments_;  // never empty after Open
  uint64_t disk_end_ = 0;
  uint64_t lost_ = 0;  // bytes between disk_end_ and the held ones
  std::string held_;
  bool attached_ = false;
  uint64_t acked_ = 0;
  uint64_t consumed_ = 0;  // the greatest acked_ ever
};

}  // namespace glasstty::holder

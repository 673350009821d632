// Appends the program's output to the raw log, and survives a full disk.
//
// Owns the open segment and, while the disk refuses writes, the bytes that
// could not be written (`held`). Offsets count all bytes of the program, even
// lost ones. To stay below the cap, removes old segments, but neither the
// newest one nor any that an attached server has not acknowledged completely.
// Borrows the directory.
//
// Invariant: first() <= disk_end() <= held_offset() <= end(). The bytes between
// disk_end() and held_offset() are lost. Once the disk accepts writes again,
// the log continues at held_offset() with a new segment, and the file `holes`
// records the gap.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "wire/session_files.h"

namespace glasstty::holder {

// No more bytes than this are kept in memory while the disk is full, unless an
// attached server has yet to acknowledge them.
inline constexpr size_t kMaxHeld = 256 << 10;

class LogWriter {
 public:
  LogWriter(int dir_fd, std::string stem, uint64_t cap);

  // Creates the first segment. Returns false with errno on failure.
  bool Open();
  // Continues after the existing segments. Returns false with errno on failure.
  bool Resume();
  // Never fails: bytes that the disk refuses are held. Beyond kMaxHeld the
  // oldest held bytes are dropped, except those that an attached server has not
  // acknowledged.
  void Append(std::string_view data);
  // Gives up the held bytes and those from end() to `offset`, which become a
  // gap. Later bytes are held, and the next Retry stores them after the gap.
  void Skip(uint64_t offset);
  // Tries again to write the held bytes to the disk.
  void Retry();

  // Sets how far the attached server has read. Without a server, every segment
  // but the newest may be removed.
  void SetReader(bool attached, uint64_t acked);
  void SetCap(uint64_t cap);

  uint64_t first() const {
    return segments_.empty() ? 0 : segments_.front().start;
  }
  uint64_t disk_end() const { return disk_end_; }
  uint64_t held_offset() const { return disk_end_ + lost_; }
  uint64_t end() const { return held_offset() + held_.size(); }
  // Describes the bytes that are lost between disk_end() and held_offset().
  wire::HoleRecord hole() const;
  std::string_view held() const { return held_; }
  // The number of held bytes that the attached server has not acknowledged.
  // Without a server, bytes that any earlier server has acknowledged do not
  // count.
  size_t unsaved() const;
  // Returns true if kMaxHeld bytes are unsaved. With a server, no more output
  // should then be read from the program. Without a server, new bytes displace
  // the oldest held ones.
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
  UniqueFd fd_;                   // the file of segments_.back()
  std::deque<Segment> segments_;  // never empty after Open
  uint64_t disk_end_ = 0;
  uint64_t lost_ = 0;        // lost bytes, between disk_end_ and the held ones
  uint64_t lost_lines_ = 0;  // newlines among the lost bytes
  int error_ = 0;            // errno of the last write that failed
  std::string held_;
  bool attached_ = false;
  uint64_t acked_ = 0;
  uint64_t consumed_ = 0;  // the greatest acked_ ever
};

}  // namespace glasstty::holder

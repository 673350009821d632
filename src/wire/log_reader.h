// Reads a session's raw log by absolute offset, across segments, while the
// holder is still writing it.
//
// Owns the descriptor of the segment that was read last. Borrows the directory
// descriptor, which must outlive it. Single-threaded.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/fd.h"

namespace glasstty::wire {

class LogReader {
 public:
  LogReader(int dir_fd, std::string stem);

  // Reads up to `size` bytes at `offset`. 0: nothing there yet. -1: errno;
  // ENODATA means that the offset lies in a hole (bytes lost by the disk or
  // removed by the cap): NextKept tells where it goes on.
  ssize_t Read(uint64_t offset, char* buffer, size_t size);

  // Gives the descriptor up; nothing may be read any more.
  void Close() { segment_.Reset(); }

  // First offset >= `offset` that the log still holds or will hold.
  uint64_t NextKept(uint64_t offset) const;

 private:
  bool OpenSegment(uint64_t offset);

  const int dir_fd_;
  const std::string stem_;
  UniqueFd segment_;
  uint64_t start_ = 0;  // of segment_
};

}  // namespace glasstty::wire

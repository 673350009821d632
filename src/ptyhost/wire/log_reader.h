// Reads a session's raw log by absolute offset, across segments, while the
// holder is still writing it.
//
// Owns the descriptor of the segment that was read last. Borrows the directory
// descriptor, which must outlive the reader. Single-threaded.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/fd.h"

namespace glasstty::wire {

class LogReader {
 public:
  LogReader(int dir_fd, std::string stem);

  // Reads up to `size` bytes at `offset`. Returns 0 at the present end of the
  // log, and -1 with errno on failure. ENODATA means that the offset lies in a
  // hole: the disk refused the bytes there, or they were removed to limit the
  // size of the log. NextKept returns the end of the hole.
  ssize_t Read(uint64_t offset, char* buffer, size_t size);

  // Returns the first offset of the segment that was read last.
  uint64_t segment() const { return start_; }

  // Closes the descriptor.
  void Close() { segment_.Reset(); }

  // Returns the first offset >= `offset` that the log still holds or will hold;
  // nullopt with errno if the directory cannot be read.
  std::optional<uint64_t> NextKept(uint64_t offset) const;

 private:
  bool OpenSegment(uint64_t offset);

  const int dir_fd_;
  const std::string stem_;
  UniqueFd segment_;
  uint64_t start_ = 0;  // the first offset of segment_
};

}  // namespace glasstty::wire

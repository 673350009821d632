// Appends to the `events` file: what happened at which offset of the log.
//
// Owns the descriptor. Never fails towards its caller: a record that the disk
// refuses is dropped, for the session matters more than its annotations. The
// file stays small however long a session prints.
#pragma once

#include <cstdint>

#include "base/fd.h"
#include "wire/session_files.h"

namespace glasstty {

class EventWriter {
 public:
  explicit EventWriter(int dir_fd) : dir_fd_(dir_fd) {}

  bool Open();
  void Append(EventType type, uint64_t offset, uint32_t a = 0, uint32_t b = 0);
  // A kTime record for output that begins at `offset`, unless one was written
  // within the last 50 ms. When the file has grown long, it is rewritten
  // without the times of output before `first_kept`, the first offset still in
  // the log, and, if that is not enough, with coarser times.
  void AppendTime(uint64_t offset, uint64_t first_kept);

 private:
  void Write(const EventRecord& record);
  void Trim(uint64_t first_kept);

  const int dir_fd_;
  UniqueFd fd_;
  uint64_t last_time_ns_ = 0;
  uint32_t records_ = 0;
};

}  // namespace glasstty

// Appends to the `events` file, which records what happened at which offset of
// the log.
//
// Owns the descriptor; borrows the directory and the clock. A record that the
// disk refuses is dropped without an error, because the session matters more
// than its annotations. The file stays small even if a program prints for a
// long time, because old records of times are removed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/fd.h"
#include "wire/session_files.h"

namespace glasstty::holder {

class EventWriter {
 public:
  EventWriter(int dir_fd, const Clock* clock)
      : dir_fd_(dir_fd), clock_(clock) {}

  // Creates the file. Returns false with errno on failure.
  bool Open();
  // Continues the existing file. Returns false with errno on failure.
  bool Resume();
  void Append(wire::EventType type, uint64_t offset, uint32_t a = 0,
              uint32_t b = 0);
  // Appends `record` with the time that it contains. Trims a long file as
  // AppendTime does.
  void Put(wire::EventRecord record, uint64_t first_kept);
  size_t records() const { return records_; }
  // Appends a kTime record for output that begins at `offset`, unless one was
  // written within the last 50 ms. A file that has grown long is rewritten
  // without most of the records about offsets before `first_kept`, the first
  // offset that is still in the log. If it is still long then, some of the
  // other kTime and kTyped records are removed, too.
  void AppendTime(uint64_t offset, uint64_t first_kept);

 private:
  // The number of records in 1 MiB, which lasts for about half an hour of
  // output without a pause.
  static constexpr size_t kTrimAbove = 32'768;

  uint64_t NowNs() const;
  void Write(wire::EventRecord record);
  void CutTornRecord();
  void Trim(uint64_t first_kept);

  const int dir_fd_;
  const Clock* const clock_;
  UniqueFd fd_;
  uint64_t last_time_ns_ = 0;
  size_t records_ = 0;
  size_t trim_at_ = kTrimAbove;
};

}  // namespace glasstty::holder

// Describes holes in a log, and estimates how many lines they took.
//
// Reads the session's directory; changes nothing. Single thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wire/session_files.h"

namespace glasstty::record {

// Bytes [offset, offset + bytes) of a log, which none of its segments holds.
struct LogHole {
  uint64_t offset = 0;
  uint64_t bytes = 0;
  int64_t lines = 0;  // 0: unknown
  std::string why;    // "the disk was full"; empty: unknown

  // Returns the line that replaces the hole: "[... 1,234,567 bytes of output
  // (38,000 lines) were lost here: the disk was full]".
  std::string Note() const;
};

// Combines the information of the session's files about a hole in the log
// `stem` with the holder's report (`told`), because the holder cannot store its
// report while the disk is full. `cursor_line` is the number of the line in
// which the hole begins, if it is known.
LogHole DescribeHole(int dir_fd, const std::string& stem, uint64_t offset,
                     uint64_t bytes,
                     std::optional<int64_t> cursor_line = std::nullopt,
                     const std::optional<wire::HoleRecord>& told = {});

// Formats a number with separators: "1,234,567".
std::string Grouped(uint64_t number);

}  // namespace glasstty::record

// Writes the files that a holder would have written.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "wire/session_files.h"

namespace glasstty {

// The sessions of tests began at this time of ManualClock.
inline constexpr double kSessionStart = 900;

// Returns an event `seconds` after that.
inline wire::EventRecord EventAt(double seconds, wire::EventType type,
                                 uint64_t offset, uint32_t a = 0,
                                 uint32_t b = 0) {
  wire::EventRecord record;
  record.offset = offset;
  record.monotonic_ns = static_cast<uint64_t>((kSessionStart + seconds) * 1e9);
  record.type = type;
  record.a = a;
  record.b = b;
  record.crc = wire::Crc32c(&record, offsetof(wire::EventRecord, crc));
  return record;
}

inline void WriteEvents(int directory,
                        const std::vector<wire::EventRecord>& events) {
  std::string_view bytes(reinterpret_cast<const char*>(events.data()),
                         events.size() * sizeof(wire::EventRecord));
  ASSERT_TRUE(ReplaceFileAt(directory, wire::kEventsName, bytes));
}

inline void WriteSegment(int directory, uint64_t offset,
                         const std::string& bytes) {
  ASSERT_TRUE(
      ReplaceFileAt(directory, wire::SegmentName("out", offset), bytes));
}

}  // namespace glasstty

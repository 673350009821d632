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

// When the sessions of tests began, in the time of ManualClock.
inline constexpr double kSessionStart = 900;

// `seconds` after that.
inline EventRecord EventAt(double seconds, EventType type, uint64_t offset,
                           uint32_t a = 0, uint32_t b = 0) {
  EventRecord record;
  record.offset = offset;
  record.monotonic_ns = static_cast<uint64_t>((kSessionStart + seconds) * 1e9);
  record.type = type;
  record.a = a;
  record.b = b;
  record.crc = Crc32c(&record, offsetof(EventRecord, crc));
  return record;
}

inline void WriteEvents(int directory, const std::vector<EventRecord>& events) {
  std::string_view bytes(reinterpret_cast<const char*>(events.data()),
                         events.size() * sizeof(EventRecord));
  ASSERT_TRUE(ReplaceFileAt(directory, kEventsName, bytes));
}

inline void WriteSegment(int directory, uint64_t offset,
                         const std::string& bytes) {
  ASSERT_TRUE(ReplaceFileAt(directory, SegmentName("out", offset), bytes));
}

}  // namespace glasstty

// A recording that is ready to be played: its events with their times, without
// long pauses. Plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "record/cast.h"
#include "terminal/terminal.h"

namespace glasstty::attach {

struct Reel {
  std::string name;
  // Returns a terminal in its state at the beginning of the recording. Fails if
  // a terminal cannot have the recorded size.
  std::function<absl::StatusOr<std::unique_ptr<terminal::Terminal>>()> begin;
  std::vector<record::CastEvent> events;

  int64_t length_us() const { return events.empty() ? 0 : events.back().us; }
};

// Shortens each pause between two events, and before the first one, to at most
// `longest_us`.
void CutPauses(int64_t longest_us, std::vector<record::CastEvent>* events);

// Returns "0:07", "12:34" or "1:02:03".
std::string ClockText(int64_t us);

}  // namespace glasstty::attach

// Finds the lines that a reader would miss most among those that a reply leaves
// out.
//
// Judges text alone (motion/weight.h). Pure functions; loop thread only,
// because they read the history.
#pragma once

#include <cstdint>
#include <string>

#include "record/history.h"

namespace glasstty::view {

// Returns for example `146: "warning: it is old", 298: "2 replicas lag"`: the
// lines in [first, first + count) that report a failure, or else those that
// report a warning. At most three are quoted, and the others are counted.
// Returns "" if none do, or if `count` exceeds kMostSearched.
std::string QuoteHeavy(const record::History& history, int64_t first,
                       int64_t count);

inline constexpr int64_t kMostSearched = 2'000;

}  // namespace glasstty::view

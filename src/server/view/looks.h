// Summarizes the appearance of a screen's rows apart from their text, so that a
// reader who is shown text can be told that only colours have changed. Pure
// functions on values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::view {

// A number for each row, which is equal for rows with equal colours and
// attributes.
using Looks = std::vector<uint64_t>;
Looks LooksOf(const terminal::Snapshot& snapshot);

// Returns the rows whose looks have changed: "row 4", "rows 4-5, 9", or "12
// rows" if such a list would be long. Returns "" if there are none, or if the
// screens have different numbers of rows.
std::string RowsWithNewLooks(const Looks& earlier, const Looks& later);

}  // namespace glasstty::view

// Signals by name. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace glasstty {

// Parses "INT", "SIGINT", "sigint" or "2". The error may suggest a name.
absl::StatusOr<int> ParseSignal(std::string_view name);
// Returns "INT", or "34" for a signal without a name.
std::string SignalName(int signal);

}  // namespace glasstty

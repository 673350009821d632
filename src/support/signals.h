// Signals by name. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace glasstty {

// "INT", "SIGINT", "sigint" or "2". Error: names the nearest.
absl::StatusOr<int> ParseSignal(std::string_view name);
// "INT"; "34" for one without a name.
std::string SignalName(int signal);

}  // namespace glasstty

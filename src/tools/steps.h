// The `input` argument of several tools: JSON into steps. Pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "support/json.h"
#include "typing/input.h"

namespace glasstty {

// `input` is a string (literal text) or a list of strings with <Key> notation
// and objects with one step each. Everything is checked before anything is
// typed. Error: names the tool, the argument, the step and what it may be.
absl::StatusOr<std::vector<typing::Step>> ParseSteps(std::string_view tool,
                                                     std::string_view argument,
                                                     const Json& input);

}  // namespace glasstty

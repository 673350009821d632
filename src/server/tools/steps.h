// The `input` argument of several tools: turns JSON into steps. Reads the files
// and variables of secrets; changes nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "record/inheritance.h"
#include "support/json.h"
#include "typing/input.h"

namespace glasstty {

// `input` is a string (literal text), or a list of strings with <Key> notation
// and of objects with one step each. Error: names the tool, the argument, the
// step and the allowed values; nothing may be typed then. The values of named
// secrets come from the variables in `inherited`, or from the server's if that
// is null.
absl::StatusOr<std::vector<typing::Step>> ParseSteps(
    std::string_view tool, std::string_view argument, const Json& input,
    const record::Inheritance* inherited = nullptr);

}  // namespace glasstty

// Plays a recording up to a moment, for `replay` and `picture`.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cli/command.h"
#include "terminal/terminal.h"

namespace glasstty {

// The one operand is a session or a file, "-" is stdin; --at, --to and --size
// say up to where and how large.
// Error: wrongly called (InvalidArgument), or it could not be done.
absl::StatusOr<std::unique_ptr<terminal::Terminal>> PlayOperand(
    const Options& options);

}  // namespace glasstty

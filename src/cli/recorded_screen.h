// Plays a recording up to a moment, for `replay` and `picture`.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cli/command.h"
#include "terminal/terminal.h"

namespace glasstty {

// Returns the screen of the only operand, a session or a file; "-" is stdin.
// --at and --to say where to stop, and --size gives the size of files that have
// none. Error: the arguments are invalid (InvalidArgument), or the operand
// cannot be read or played.
absl::StatusOr<std::unique_ptr<terminal::Terminal>> PlayOperand(
    const Options& options);

}  // namespace glasstty

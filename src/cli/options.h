// Flags of a subcommand: "--size 24x80", "--size=24x80", and the rest as
// operands. Pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/command.h"
#include "terminal/snapshot.h"

namespace glasstty {

struct Options {
  // The last one counts when a flag is given twice.
  std::map<std::string, std::string> flags;  // without the dashes
  std::vector<std::string> operands;
};

// `known`: flags that take a value. Error: an unknown flag or a missing value.
absl::StatusOr<Options> ParseOptions(const CommandArguments& arguments,
                                     const std::vector<std::string>& known);

// "24x80": rows x columns.
// Error: not two numbers, or a size that CheckSize refuses.
absl::StatusOr<Size> ParseSize(const std::string& text);

// The bytes of a file; "-" is stdin.
// All of it in memory: recordings are a few MiB. Error: it cannot be read.
absl::StatusOr<std::string> ReadInput(const std::string& path);

}  // namespace glasstty

// Parses the flags of a subcommand ("--size 24x80", "--size=24x80", "-n 10");
// the other arguments are operands. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command.h"
#include "terminal/snapshot.h"

namespace glasstty {

// By the rows of `command`; ends at --help.
// Error: an unknown flag, a missing value, or as many operands as the command
// does not take.
absl::StatusOr<Options> ParseOptions(const CommandRow& command,
                                     const std::vector<std::string>& arguments);

// "24x80": rows x columns.
// Error: not two numbers, or a size that CheckSize refuses.
absl::StatusOr<terminal::Size> ParseSize(const std::string& text);

// The bytes of a file; "-" is stdin.
// All of it in memory: recordings are a few MiB. Error: it cannot be read.
absl::StatusOr<std::string> ReadInput(const std::string& path);

// "-", or a path that is not a directory; else it is a session's name.
bool IsFile(const std::string& path);

// The exit status of a subcommand (command.h); what failed is told on stderr,
// with the usage when it was wrongly called.
int Report(const CommandRow& command, const absl::Status& status);

}  // namespace glasstty

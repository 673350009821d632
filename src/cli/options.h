// Flags of a subcommand: "--size 24x80", "--size=24x80", "-n 10", and the rest
// as operands. Pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command.h"
#include "terminal/snapshot.h"

namespace glasstty {

struct Options {
  // The last one counts when a flag is given twice.
  std::map<std::string, std::string> flags;  // without the dashes
  std::vector<std::string> operands;
};

// `known`: flags that take a value; `switches`: those that take none and are in
// Options::flags with "". A name of one letter is written with one dash.
// Error: an unknown flag or a missing value.
absl::StatusOr<Options> ParseOptions(
    const CommandArguments& arguments, const std::vector<std::string>& known,
    const std::vector<std::string>& switches = {});

// "24x80": rows x columns.
// Error: not two numbers, or a size that CheckSize refuses.
absl::StatusOr<Size> ParseSize(const std::string& text);

// The bytes of a file; "-" is stdin.
// All of it in memory: recordings are a few MiB. Error: it cannot be read.
absl::StatusOr<std::string> ReadInput(const std::string& path);

// "-", or a path that is no directory: else it is the name of a session.
bool IsFile(const std::string& path);

// The exit status of a subcommand (command.h); what failed is told on stderr,
// with `usage` when it was wrongly called.
int Report(const char* command, const absl::Status& status, const char* usage);

}  // namespace glasstty

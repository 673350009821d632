// Parses the flags of a subcommand ("--size 24x80", "--size=24x80", "-n 10");
// the other arguments are operands. Also reads the files that operands name,
// and reports failures.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command.h"
#include "record/cast.h"
#include "terminal/snapshot.h"

namespace glasstty {

// Parses by the rows of `command`; stops at --help. Error: a flag is unknown, a
// value is missing or superfluous, or there is an operand although the command
// takes none.
absl::StatusOr<Options> ParseOptions(const CommandRow& command,
                                     const std::vector<std::string>& arguments);

// Parses "24x80" as rows x columns. Error: these are not two numbers, or
// CheckSize refuses the size.
absl::StatusOr<terminal::Size> ParseSize(const std::string& text);

// Returns the bytes of a file; "-" is stdin. Keeps everything in memory,
// because recordings have a few MiB. Error: it cannot be read.
absl::StatusOr<std::string> ReadInput(const std::string& path);

// Returns how the asciicast `path` is read: with --size if it has no size, and
// with warnings to stderr. Error: --size is invalid.
absl::StatusOr<record::CastReading> ReadingOf(const Options& options,
                                              const std::string& path);

// Returns true for "-" and for an existing path that is not a directory;
// everything else is a session's name or directory.
bool IsFile(const std::string& path);

// Returns the exit status of a subcommand (command.h). Prints what failed to
// stderr, followed by the usage if the arguments were invalid.
int Report(const CommandRow& command, const absl::Status& status);

}  // namespace glasstty

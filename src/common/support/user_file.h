// Reads files that a user or an agent names: secrets, settings, patterns,
// results.
//
// Reads only plain files and links to them. Reading a FIFO would wait for a
// writer, and reading the server's own stdin would consume the client's
// requests. Such paths are refused before anything is opened for reading, so
// ReadUserFile waits only for the disk.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace glasstty {

// Decides what happens with a file of more than `limit` bytes.
enum class Longer { kRefuse, kCut };

// Returns the content of `path`, at most `limit` bytes. Fails if the file
// cannot be opened or read, is not a plain file, or is longer than `limit` and
// `longer` is kRefuse. The error names the path; it is NotFound for a missing
// file.
absl::StatusOr<std::string> ReadUserFile(const std::string& path, size_t limit,
                                         Longer longer = Longer::kRefuse);

}  // namespace glasstty

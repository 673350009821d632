// Files that a user or an agent names: secrets, settings, patterns, results.
//
// Only plain files are read, and links to them. A path may lead to a pipe,
// whose reading waits for a writer, or to the server's own stdin, whose reading
// takes the client's requests away; such a path is refused before anything is
// opened for reading. Never blocks on anything but the disk.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace glasstty {

// What happens to a file of more bytes than wanted.
enum class Longer { kRefuse, kCut };

// The content of `path`, at most `limit` bytes.
// Error: it cannot be opened or read, it is not a plain file, or it is longer
// and that is refused. The message names the path; a file that does not exist
// is a NotFound.
absl::StatusOr<std::string> ReadUserFile(const std::string& path, size_t limit,
                                         Longer longer = Longer::kRefuse);

}  // namespace glasstty

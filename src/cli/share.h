// Connects to the shared server: for clients on stdin and stdout, and for
// single calls.
#pragma once

#include "absl/status/statusor.h"
#include "base/fd.h"

namespace glasstty {

// Makes this process a relay between its stdin and stdout and the shared
// server, which is started if there is none. Returns only if that is
// impossible, with the reason; this process is then unchanged.
absl::Status BecomeRelay();

// Returns a blocking connection to the shared server, and starts the server if
// there is none. Error: it cannot be reached or started.
absl::StatusOr<UniqueFd> JoinServer();

}  // namespace glasstty

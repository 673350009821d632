// Connects to the shared server: for clients on stdin and stdout, and for
// single calls.
#pragma once

#include "absl/status/statusor.h"
#include "base/fd.h"

namespace glasstty {

// When a shared server runs, or `start` is set and one can be started: this
// process becomes a relay between its stdin and stdout and that server, and
// this does not return. Else nothing has happened.
void BecomeRelay(bool start);

// A blocking connection to the shared server, which is started when there is
// none. Error: it cannot be.
absl::StatusOr<UniqueFd> JoinServer();

}  // namespace glasstty

// The screen as it was at an earlier moment, reconstructed from the log.
//
// Nothing is stored for this while a session runs. A separate terminal is fed
// up to the requested byte, in the loop's slices, so that no other call is
// delayed. This takes about 0.1 s for every 4 MiB that the session had printed.
// Loop thread only.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "session/session_view.h"
#include "support/cancellation.h"
#include "support/task.h"
#include "terminal/modes.h"
#include "terminal/snapshot.h"

namespace glasstty::view {

struct PastScreen {
  terminal::Snapshot snapshot;
  terminal::Modes modes;
  uint64_t offset = 0;  // bytes printed up to then
  // From its last output to now, or to the exit.
  double ago_s = 0;
  // Bytes before it that the log no longer holds: what they drew is missing.
  uint64_t lost = 0;
};

// `when`: an offset in the log ("48213"), or seconds before now ("-30s"); of a
// program that has exited, before its exit.
// Error: neither of them; a moment that has not come; a log that cannot be
// read.
Task<absl::StatusOr<PastScreen>> ScreenAt(session::SessionViewRef session,
                                          std::string when,
                                          Cancellation* cancellation);

}  // namespace glasstty::view

// Reconstructs the screen at an earlier moment from the log.
//
// Nothing is stored for this while a session runs. A separate terminal is fed
// up to the requested byte, in the loop's slices, so that no other call is
// delayed. This takes about 0.1 s for every 4 MiB that the session had printed.
// Loop thread only.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"
#include "terminal/modes.h"
#include "terminal/snapshot.h"

namespace glasstty::view {

struct PastScreen {
  terminal::Snapshot snapshot;
  terminal::Modes modes;
  uint64_t offset = 0;  // bytes printed up to that moment
  // The time of the last output on this screen: the local time of day, and the
  // seconds from then to now, or to the exit if the program has ended.
  std::string drawn_at;
  double ago_s = 0;
  bool has_ended = false;
  // The number of earlier bytes that the log has lost; the screen lacks what
  // they drew.
  uint64_t lost = 0;
};

// `when` is an offset in the log ("48213") or a time (view/when.h), where "now"
// is the exit of a program that has exited. Error: `when` has another form, the
// moment has not come yet, or the log cannot be read or takes too long.
Task<absl::StatusOr<PastScreen>> ScreenAt(session::ConstSessionRef session,
                                          std::string when,
                                          Cancellation* cancellation);

}  // namespace glasstty::view

// Processes that a session left behind when its holder was killed. The holder
// would have ended or listed them; now the server looks for them.
//
// They are recognised by GLASSTTY_SESSION in their environment, by the session
// (setsid(2)) that the program led, or by a parent that is one of them. A
// process without these traces is not found, nor is one whose only trace is an
// unreadable environment. So an empty answer does not prove that nothing is
// left. Owns nothing.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "session/process_info.h"

namespace glasstty::session {

// The facts that distinguish the processes of a session from all others.
struct Traces {
  std::string id;  // the id of the glasstty session
  int leader = 0;  // the pid of the session's program; 0: not known
  // True if the leader has ended, so that another process may have its pid.
  bool leader_ended = false;
};

// Reads all of /proc once, but does not look for ports. Error: nothing is
// known, because /proc could not be read, usually for lack of descriptors.
absl::StatusOr<std::vector<ProcessInfo>> FindOrphans(const Traces& traces);

// Sends SIGKILL to the processes that FindOrphans finds now, but to no more
// than 64 in one call, because each takes a descriptor. Error: a descriptor or
// memory is lacking, or /proc cannot be read.
absl::Status KillOrphans(const Traces& traces);

}  // namespace glasstty::session

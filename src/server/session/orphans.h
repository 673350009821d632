// Processes that a session left behind when its holder was killed. The holder
// would have ended or listed them; without it, the server looks for them
// itself.
//
// They are recognised by GLASSTTY_SESSION in their environment, by the session
// (setsid(2)) that the program led, or by a parent that is one of them. A
// process that has shed all three, or whose environment may not be read, is not
// found, so an empty answer does not prove that nothing is left. Owns nothing.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "session/process_info.h"

namespace glasstty::session {

// The facts that distinguish the processes of a session from all others.
struct Traces {
  std::string id;  // of the session
  int leader = 0;  // the process that it started; 0: not known
  // If true, another process may have the leader's number by now.
  bool leader_ended = false;
};

// Reads all of /proc once, but does not look for ports. Error: /proc could not
// be read, usually for lack of descriptors, so nothing is known.
absl::StatusOr<std::vector<ProcessInfo>> FindOrphans(const Traces& traces);

// Sends SIGKILL to the processes that FindOrphans finds now, but to no more
// than 64 in one call, because each takes a descriptor.
absl::Status KillOrphans(const Traces& traces);

}  // namespace glasstty::session

// Finds out from /proc what the foreground of a terminal waits for.
//
// Examines each thread of the foreground process group: its state, the system
// call in which it sleeps, and whether the descriptors of that call refer to
// this terminal. The strongest evidence wins. The holder does this, because
// only an ancestor may inspect a process (yama). An examination takes 15-70 us
// for most programs. For a process that cannot be inspected, the verdict is
// kOpaque.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "holder/inner_terminal.h"
#include "holder/wait_target.h"
#include "wire/packets.h"

namespace glasstty::holder {

struct Verdict {
  wire::Waiting waiting = wire::Waiting::kGone;
  pid_t pid = 0;        // the process that the verdict describes
  bool active = false;  // some thread of the group was running. In a Go program
                        // another thread may be reading at the same time
  // The group of `pid`, then those of its ancestors below the holder;
  // consecutive duplicates are merged. If `pid` is `outside`, this is the
  // lineage of the sleeping foreground.
  std::vector<pid_t> lineage = {};
  // True if some thread of the group waits for a socket. The process at the
  // other end may read the terminal, as the server of tmux does for its
  // clients.
  bool has_peer = false;
  // True if one system call of `pid` waits for the terminal and for the master
  // of another terminal, as script does.
  bool relays = false;
  // True if `pid` may pass typed input on to a peer that cannot be examined
  // from here (near_end.h).
  bool near_end = false;
  // True if `pid` ignores SIGTTOU. Every shell with job control does, because
  // otherwise it could not take the terminal back from its jobs.
  bool job_control = false;
  // The terminal that `pid` waits for, if it is not the session's own.
  InnerTerminal inner;
  // A process with another controlling terminal, or none, that waits for input
  // of this terminal; 0 if there is none. Job control does not stop it.
  // LookAtForeground searches for such a process only while the foreground
  // sleeps or is a shell. If the foreground sleeps, `pid` is the same process.
  pid_t outside = 0;
  // A process that job control has stopped because it tried to read or change
  // the terminal; 0 if there is none, or if the foreground does not sleep.
  pid_t stopped = 0;
};

// Examines the process group `pgrp` below this process. Looks through a relay
// (script, expect) at the program inside, but not through an editor that has a
// shell in a window.
Verdict LookAtForeground(pid_t pgrp, const WaitTarget& target);

}  // namespace glasstty::holder

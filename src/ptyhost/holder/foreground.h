// Finds out from /proc what the foreground of a terminal waits for.
//
// Examines the members of the foreground process group thread by thread: the
// state, the system call that a sleeping thread is in, and whether the
// descriptors of that call are this terminal. The strongest evidence wins. Only
// an ancestor may ask this (yama), so the holder does. It takes 15-70 us for
// most programs. Nothing is guessed here: what may not be inspected is kOpaque.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "holder/inner_terminal.h"
#include "wire/packets.h"

namespace glasstty::holder {

// The terminal (or pipe) that a look is about.
struct WaitTarget {
  bool terminal = true;   // false: the pipe that is the program's input
  uint64_t identity = 0;  // device number; inode of the pipe
  // A sandbox with file systems of its own has other terminals with the same
  // numbers. 0: not known, or a pipe.
  uint64_t filesystem = 0;
};

struct Verdict {
  wire::Waiting waiting = wire::Waiting::kGone;
  pid_t pid = 0;        // the process it is about
  bool active = false;  // some thread of the group was running; Go programs
                        // always have one in read besides
  // The process's group, then those of its ancestors below this process.
  std::vector<pid_t> lineage = {};
  // True if some thread waits for a socket: whoever is at its other end may
  // read the terminal (clients of tmux).
  bool has_peer = false;
  // True if it watches the terminal and the master of another one at once, as
  // script does.
  bool relays = false;
  // True if `pid` ignores SIGTTOU, as every shell with job control does:
  // otherwise it could not take the terminal back from its jobs.
  bool job_control = false;
  // The terminal that it waits for, if that is not the session's own.
  InnerTerminal inner;
};

// Examines the process group `pgrp` below this process. Looks through a relay
// (script, expect) at the program inside, but not through an editor that has a
// shell in a window.
Verdict LookAtForeground(pid_t pgrp, const WaitTarget& target);

}  // namespace glasstty::holder

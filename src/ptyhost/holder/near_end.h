// Examines the open descriptors of a process that may be only the near end of a
// connection. The far end cannot be examined from here: it is a serial line,
// another machine, or a server with a terminal of its own.
//
// Keeps no state. Holder thread only.
#pragma once

#include <sys/types.h>

#include <vector>

#include "holder/wait_target.h"

namespace glasstty::holder {

// The terminals that a process has open, besides the target.
struct HeldTerminals {
  // The number in /dev/pts of the terminal whose master the process holds; -1
  // if it holds none.
  int inner = -1;
  // True if the process has a terminal besides the target open for reading,
  // such as the serial line of tio, minicom or cu.
  bool other = false;
};
HeldTerminals ReadHeldTerminals(pid_t pid, const WaitTarget& target);

// Returns true if each of `sockets`, which are descriptors of the process, is
// an internet socket or leads to another process. A connection to a desktop
// service does not count. Returns false if `sockets` is empty, or if a socket
// cannot be examined. Costs about 5 us for each socket.
bool LeadElsewhere(pid_t pid, const std::vector<int>& sockets);

}  // namespace glasstty::holder

// A process of a session, as reported by the holder (wire::TreeRow) or found in
// /proc (orphans.h). A plain value.
#pragma once

#include <string>
#include <vector>

namespace glasstty::session {

struct ProcessInfo {
  int pid = 0;
  char process_state = '?';  // as in proc(5)
  // False if the process's descriptors could not be read or were not examined.
  bool ports_known = false;
  std::vector<int> ports;  // the TCP ports on which it listens
  std::string command;
};

}  // namespace glasstty::session

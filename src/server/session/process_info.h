// A process of a session, as reported by the holder (kTreeRow). A plain value.
#pragma once

#include <string>
#include <vector>

namespace glasstty::session {

struct ProcessInfo {
  int pid = 0;
  char process_state = '?';
  // False if its descriptors may not be read (another user's process).
  bool ports_known = false;
  std::vector<int> ports;  // listening TCP
  std::string command;
};

}  // namespace glasstty::session

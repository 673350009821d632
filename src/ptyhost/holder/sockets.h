// Finds out which TCP ports the processes of a session listen on.
//
// Fetches the listening sockets from the kernel by NETLINK_SOCK_DIAG (45 us,
// while reading /proc/net/tcp walks every connection and takes 4 ms) and
// matches their inodes with the descriptors of a process. Netlink covers only
// the holder's own network namespace; for a process in another one,
// /proc/PID/net is read.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "wire/packets.h"

namespace glasstty::holder {

using wire::ListeningPort;

// The listeners at one moment, fetched when first needed and kept for all
// processes of one report.
class ListenerTable {
 public:
  // Returns the ports that `pid` listens on, each once, ascending. Returns
  // nothing if its descriptors may not be read (another user's process).
  std::optional<std::vector<ListeningPort>> PortsOf(pid_t pid);

 private:
  using Ports = std::unordered_map<uint64_t, ListeningPort>;  // by inode

  const Ports& Own();

  std::optional<Ports> own_;
};

}  // namespace glasstty::holder

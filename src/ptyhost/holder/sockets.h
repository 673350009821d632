// Finds out which TCP ports the processes of a session listen on.
//
// Fetches the listening sockets from the kernel by NETLINK_SOCK_DIAG and
// matches their inodes with the descriptors of a process. This takes 45 us;
// reading /proc/net/tcp takes 4 ms, because it walks every connection. Netlink
// covers only the holder's own network namespace. For a process in another one,
// or if netlink fails, /proc/PID/net is read.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "wire/packets.h"

namespace glasstty::holder {

using wire::ListeningPort;
using ListeningPorts = std::unordered_map<uint64_t, ListeningPort>;  // by inode

// Parses one datagram of the kernel's answer and adds its listeners; `family`
// is 4 or 6.
enum class Listing { kGoesOn, kEnded, kFailed };
Listing TakeListeners(const char* data, size_t size, uint16_t family,
                      ListeningPorts* ports);

// The listeners at one moment. They are fetched when first needed, and kept for
// all processes of one report.
class ListenerTable {
 public:
  // Returns the ports on which `pid` listens, without duplicates, sorted by
  // family and number. Returns nothing if the descriptors of `pid` cannot be
  // read (another user's process).
  std::optional<std::vector<ListeningPort>> PortsOf(pid_t pid);

 private:
  const ListeningPorts& Own();

  std::optional<ListeningPorts> own_;
};

}  // namespace glasstty::holder

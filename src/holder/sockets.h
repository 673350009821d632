// Which TCP ports the processes of a session listen on.
//
// The kernel is asked for its listeners (NETLINK_SOCK_DIAG: 45 us, where
// reading /proc/net/tcp walks every connection: 4 ms), and their inodes are
// joined with the descriptors of a process. Netlink sees our own network
// namespace only; for a process in another one its /proc/PID/net is read.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace glasstty::holder {

// As it travels behind a TreeRow.
struct ListeningPort {
  uint16_t port = 0;
  uint16_t family = 0;  // 4 or 6
};

// The listeners of one moment, fetched when first needed and kept for all
// processes of one report.
class ListenerTable {
 public:
  // Appends the ports that `pid` listens on, each once, ascending. False when
  // its descriptors may not be read (another user's process).
  bool PortsOf(pid_t pid, std::vector<ListeningPort>* ports);

 private:
  using Ports = std::unordered_map<uint64_t, ListeningPort>;  // by inode

  const Ports& Own();

  std::optional<Ports> own_;
};

}  // namespace glasstty::holder

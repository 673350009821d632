#include "holder/sockets.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/fd.h"
#include "holder/proc.h"

namespace glasstty::holder {
namespace {

// This is TCP_LISTEN of <netinet/tcp.h>, which conflicts with <linux/tcp.h>.
constexpr unsigned kListenState = 10;

using Ports = ListeningPorts;

// Asks for all TCP sockets of this family in state LISTEN.
bool RequestListeners(int fd, int family) {
  struct {
    nlmsghdr header;
    inet_diag_req_v2 request;
  } message{};
  message.header.nlmsg_len = sizeof message;
  message.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  message.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  message.request.sdiag_family = static_cast<uint8_t>(family);
  message.request.sdiag_protocol = IPPROTO_TCP;
  message.request.idiag_states = 1u << kListenState;
  return send(fd, &message, sizeof message, 0) >= 0;
}

// NLMSG_DONE contains a negative errno if the dump has failed, for example
// because the kernel has no tcp_diag.
bool IsFailure(const nlmsghdr* done) {
  int status = 0;
  if (NLMSG_PAYLOAD(done, 0) < sizeof status) return false;
  std::memcpy(&status, NLMSG_DATA(done), sizeof status);
  return status < 0;
}

// Returns false if the kernel has no SOCK_DIAG for TCP, or a sandbox forbids
// it.
bool AskNetlink(Ports* ports) {
  for (int family : {AF_INET, AF_INET6}) {
    UniqueFd fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
    if (!fd.valid() || !RequestListeners(fd.get(), family)) return false;
    // The kernel sends no datagram that is larger than the buffer of an earlier
    // read.
    uint16_t name = family == AF_INET ? 4 : 6;
    alignas(nlmsghdr) char buffer[16384];
    for (;;) {
      // The kernel creates the answer within send() and recv(), so it is always
      // available.
      ssize_t n = recv(fd.get(), buffer, sizeof buffer, MSG_DONTWAIT);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      Listing listing =
          TakeListeners(buffer, static_cast<size_t>(n), name, ports);
      if (listing == Listing::kFailed) return false;
      if (listing == Listing::kEnded) break;
    }
  }
  return true;
}

// Parses one row of /proc/PID/net/tcp; adds its local port if it listens.
void TakeProcRow(const char* row, uint16_t family, Ports* ports) {
  unsigned port, state;
  unsigned long inode;
  int taken = sscanf(row,
                     " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*s %*s %*s"
                     " %*s %*s %lu",
                     &port, &state, &inode);
  if (taken == 3 && state == kListenState) {
    (*ports)[inode] = {static_cast<uint16_t>(port), family};
  }
}

void ReadProcTable(pid_t pid, const char* name, uint16_t family, Ports* ports) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/net/%s", pid, name);
  FILE* file = fopen(path, "re");
  if (file == nullptr) return;
  char row[512];
  while (fgets(row, sizeof row, file) != nullptr) {
    TakeProcRow(row, family, ports);
  }
  fclose(file);
}

// Used only if netlink cannot answer, because this walks every connection of
// the namespace.
Ports ReadProcTables(pid_t pid) {
  Ports ports;
  ReadProcTable(pid, "tcp", 4, &ports);
  ReadProcTable(pid, "tcp6", 6, &ports);
  return ports;
}

// Also returns true if the namespace cannot be read. That makes no difference,
// because the descriptors of the process are then hidden as well.
bool InOurNetwork(pid_t pid) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/ns/net", pid);
  struct stat theirs, ours;
  if (stat(path, &theirs) != 0 || stat("/proc/self/ns/net", &ours) != 0) {
    return true;
  }
  return theirs.st_ino == ours.st_ino;
}

// Returns the inodes of the sockets that a process has open; nothing if its
// descriptors are hidden.
std::optional<std::vector<uint64_t>> ReadSocketInodes(pid_t pid) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/fd", pid);
  if (access(path, R_OK | X_OK) != 0) return std::nullopt;
  std::vector<uint64_t> inodes;
  for (int number : ReadNumberedEntries(path)) {
    char link[kProcPathSize], target[64];
    snprintf(link, sizeof link, "/proc/%d/fd/%d", pid, number);
    ssize_t n = readlink(link, target, sizeof target - 1);
    if (n <= 0) continue;
    target[n] = '\0';
    unsigned long inode;
    if (sscanf(target, "socket:[%lu]", &inode) == 1) inodes.push_back(inode);
  }
  return inodes;
}

}  // namespace

Listing TakeListeners(const char* data, size_t size, uint16_t family,
                      Ports* ports) {
  auto* header = reinterpret_cast<const nlmsghdr*>(data);
  for (; NLMSG_OK(header, size); header = NLMSG_NEXT(header, size)) {
    if (header->nlmsg_type == NLMSG_ERROR) return Listing::kFailed;
    if (header->nlmsg_type == NLMSG_DONE) {
      return IsFailure(header) ? Listing::kFailed : Listing::kEnded;
    }
    auto* entry = static_cast<const inet_diag_msg*>(NLMSG_DATA(header));
    (*ports)[entry->idiag_inode] = {ntohs(entry->id.idiag_sport), family};
  }
  return Listing::kGoesOn;
}

const ListeningPorts& ListenerTable::Own() {
  if (!own_) {
    own_.emplace();
    if (!AskNetlink(&*own_)) own_ = ReadProcTables(getpid());
  }
  return *own_;
}

std::optional<std::vector<ListeningPort>> ListenerTable::PortsOf(pid_t pid) {
  std::optional<std::vector<uint64_t>> inodes = ReadSocketInodes(pid);
  if (!inodes) return std::nullopt;
  std::vector<ListeningPort> ports;
  if (inodes->empty()) return ports;
  Ports theirs;
  bool ours = InOurNetwork(pid);
  if (!ours) theirs = ReadProcTables(pid);
  const Ports& table = ours ? Own() : theirs;
  for (uint64_t inode : *inodes) {
    auto found = table.find(inode);
    if (found != table.end()) ports.push_back(found->second);
  }
  auto key = [](const ListeningPort& p) { return p.family << 16 | p.port; };
  std::sort(ports.begin(), ports.end(),
            [&](auto& a, auto& b) { return key(a) < key(b); });
  ports.erase(std::unique(ports.begin(), ports.end(),
                          [&](auto& a, auto& b) { return key(a) == key(b); }),
              ports.end());
  return ports;
}

}  // namespace glasstty::holder

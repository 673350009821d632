// Process groups, sessions and terminals do not find everything: setsid leaves
// all three, a daemon also its parent. What nothing leaves is the subreaper;
// so the walk starts at ourselves and follows /proc/PID/task/TID/children.
#include "holder/tree.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/fd.h"
#include "holder/sockets.h"
#include "wire/packets.h"

namespace glasstty::holder {
namespace {

// A fork bomb must not make the walk endless.
constexpr size_t kMaxMembers = 65536;
constexpr size_t kMaxCommandLine = 1024;
constexpr size_t kMaxPorts = 64;

// As it is at this moment; a process that ends meanwhile reads as "[]". Empty
// when it is not wanted.
std::string DescribeMember(const Member& member, TreeRows wanted,
                           ListenerTable* listeners) {
  wire::TreeRow row;
  row.pid = member.pid;
  row.process_state = static_cast<uint8_t>(member.stat.state);
  char path[32];
  snprintf(path, sizeof path, "/proc/%d", member.pid);
  struct stat info;
  if (stat(path, &info) == 0) row.uid = info.st_uid;
  std::vector<ListeningPort> ports;
  row.ports_known = listeners->PortsOf(member.pid, &ports) ? 1 : 0;
  if (wanted == TreeRows::kListening && ports.empty()) return "";
  ports.resize(std::min(ports.size(), kMaxPorts));
  row.ports = static_cast<uint16_t>(ports.size());

  std::string text(reinterpret_cast<const char*>(&row), sizeof row);
  static_assert(sizeof(ListeningPort) == 4);
  if (!ports.empty()) {
    text.append(reinterpret_cast<const char*>(ports.data()),
                ports.size() * sizeof(ListeningPort));
  }
  return text + ReadCommandLine(member.pid, kMaxCommandLine);
}

}  // namespace

std::vector<Member> WalkTree() {
  std::vector<pid_t> pids;
  AppendChildren(getpid(), &pids);
  std::vector<Member> members;
  for (size_t i = 0; i < pids.size() && i < kMaxMembers; ++i) {
    Member member{pids[i], {}};
    if (!ReadProcessStat(member.pid, &member.stat)) continue;
    // A zombie has no children: they went to the subreaper.
    if (member.stat.IsDead()) continue;
    members.push_back(member);
    AppendChildren(member.pid, &pids);
  }
  return members;
}

// WNOWAIT: whoever reaps must see the status.
bool TreeIsEmpty() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 &&
         errno == ECHILD;
}

bool SignalMember(const Member& member, int signal) {
  // By number: glibc 2.36 declares its wrappers without extern "C".
  UniqueFd fd(static_cast<int>(syscall(SYS_pidfd_open, member.pid, 0)));
  if (!fd.valid()) return false;
  // The descriptor holds on to one process; if that one started when the
  // walk said, it is the one that was meant.
  ProcessStat now;
  if (!ReadProcessStat(member.pid, &now) ||
      now.start_time != member.stat.start_time) {
    errno = ESRCH;
    return false;
  }
  return syscall(SYS_pidfd_send_signal, fd.get(), signal, nullptr, 0) == 0;
}

bool GroupLives(pid_t pgrp) {
  // Quick and exact for "no"; a "yes" may be zombies or strangers.
  if (pgrp <= 0 || (kill(-pgrp, 0) != 0 && errno == ESRCH)) return false;
  std::vector<Member> members = WalkTree();
  return std::any_of(members.begin(), members.end(),
                     [pgrp](const Member& m) { return m.stat.pgrp == pgrp; });
}

// The listeners are asked for once, and only if somebody has a socket.
std::vector<std::string> DescribeTree(TreeRows wanted) {
  std::vector<std::string> rows;
  ListenerTable listeners;
  for (const Member& member : WalkTree()) {
    std::string row = DescribeMember(member, wanted, &listeners);
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace glasstty::holder

// Groups, sessions and terminals do not lead to all processes: setsid(2) leaves
// all three, and a daemon leaves its parent, too. But every descendant stays
// below the subreaper, so the walk starts at this process and follows
// /proc/PID/task/TID/children.
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
#include <optional>
#include <utility>

#include "base/fd.h"
#include "holder/sockets.h"

namespace glasstty::holder {
namespace {

// This limits the walk during a fork bomb.
constexpr size_t kMaxMembers = 65536;
constexpr size_t kMaxCommandLine = 1024;
constexpr size_t kMaxPorts = 64;

// Describes the current state of the process; the command of a process that has
// ended is "[]". Returns nothing if `wanted` excludes the process.
std::optional<Description> DescribeMember(const Member& member, TreeRows wanted,
                                          ListenerTable* listeners) {
  Description described;
  wire::ProcessRow& row = described.process;
  row.pid = member.pid;
  row.process_state = static_cast<uint8_t>(member.stat.state);
  char path[32];
  snprintf(path, sizeof path, "/proc/%d", member.pid);
  struct stat info;
  if (stat(path, &info) == 0) row.uid = info.st_uid;
  auto known = listeners->PortsOf(member.pid);
  row.ports_known = known ? 1 : 0;
  auto& ports = described.ports;
  if (known) ports = *std::move(known);
  if (wanted == TreeRows::kListening && ports.empty()) return std::nullopt;
  ports.resize(std::min(ports.size(), kMaxPorts));
  row.ports = static_cast<uint16_t>(ports.size());
  described.command = ReadCommandLine(member.pid, kMaxCommandLine);
  return described;
}

}  // namespace

std::vector<Member> WalkTree() {
  std::vector<pid_t> pids;
  AppendChildren(getpid(), kOwnThreads, &pids);
  std::vector<Member> members;
  for (size_t i = 0; i < pids.size() && i < kMaxMembers; ++i) {
    auto stat = ReadProcessStat(pids[i]);
    // A zombie has no children, because the subreaper has adopted them.
    if (!stat || stat->IsDead()) continue;
    members.push_back({pids[i], *stat});
    AppendChildren(pids[i], stat->threads, &pids);
  }
  return members;
}

std::optional<char> ReadState(const Member& member, pid_t tid) {
  if (member.stat.threads == 1) return member.stat.state;
  auto stat = ReadThreadStat(member.pid, tid);
  return stat ? std::optional<char>(stat->state) : std::nullopt;
}

// Uses WNOWAIT, because the code that reaps the child needs the status.
bool TreeIsEmpty() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 &&
         errno == ECHILD;
}

bool SignalMember(const Member& member, int signal) {
  // Use system call numbers, because glibc 2.36 declares the wrappers without
  // extern "C".
  UniqueFd fd(static_cast<int>(syscall(SYS_pidfd_open, member.pid, 0)));
  if (!fd.valid()) return false;
  // The descriptor refers to one process for good. If that process has the
  // start time that the walk has found, it is `member`.
  auto now = ReadProcessStat(member.pid);
  if (!now || now->start_time != member.stat.start_time) {
    errno = ESRCH;
    return false;
  }
  return syscall(SYS_pidfd_send_signal, fd.get(), signal, nullptr, 0) == 0;
}

bool GroupLives(pid_t pgrp) {
  // kill() is quick, and certain if it finds no group. A group that it finds
  // may consist of zombies or of processes outside the tree.
  if (pgrp <= 0 || (kill(-pgrp, 0) != 0 && errno == ESRCH)) return false;
  std::vector<Member> members = WalkTree();
  return std::any_of(members.begin(), members.end(),
                     [pgrp](const Member& m) { return m.stat.pgrp == pgrp; });
}

// Fetches the listeners only once, and only if a process has a socket.
std::vector<Description> DescribeTree(TreeRows wanted) {
  std::vector<Description> rows;
  ListenerTable listeners;
  for (const Member& member : WalkTree()) {
    auto row = DescribeMember(member, wanted, &listeners);
    if (row) rows.push_back(*std::move(row));
  }
  return rows;
}

}  // namespace glasstty::holder

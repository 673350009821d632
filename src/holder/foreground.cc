// Upper bounds of what a look costs, on a busy 2-core machine: stat 3 us,
// syscall 4 us, children 4 us, process_vm_readv 1 us; node with its 11 threads
// 65-350 us in all. /proc/PID/wchan cannot tell a terminal from a socket and
// /proc/PID/stack needs CAP_SYS_ADMIN, hence the system call and its
// arguments.
#include "holder/foreground.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/fd.h"
#include "holder/proc.h"
#include "holder/tree.h"

namespace glasstty::holder {
namespace {

constexpr int kMaxDepth = 4;  // of terminals inside terminals
constexpr uint64_t kMaxPollFds = 1024;
constexpr int kMaxSelectFds = 1024;
// A restarted call may have been nanosleep or futex: only a short list of
// sensible entries is believed to be one of poll().
constexpr uint64_t kMaxRestartedFds = 64;
constexpr int kMaxPlausibleFd = 1 << 20;
constexpr int kEpollPwait2 = 441;  // same number everywhere; not in old headers

// One thread asleep in a system call, and what it was found to wait for.
struct Call {
  pid_t pid;
  long number;
  uint64_t args[6];
  const WaitTarget* target;
  bool on_target = false;
  bool on_socket = false;
  bool on_master = false;  // of another terminal
};

bool IsTarget(const WaitTarget& target, const struct stat& info) {
  if (!target.terminal) {
    return S_ISFIFO(info.st_mode) && info.st_ino == target.identity;
  }
  // 5:0 is /dev/tty: the same terminal, by session.
  return S_ISCHR(info.st_mode) &&
         (info.st_rdev == target.identity || info.st_rdev == makedev(5, 0));
}

bool IsMaster(const struct stat& info) {
  return S_ISCHR(info.st_mode) && info.st_rdev == makedev(5, 2);
}

// Notes that the call waits for input of descriptor `fd`.
void Note(Call* call, int fd) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", call->pid, fd);
  struct stat info;
  if (stat(path, &info) != 0) return;
  call->on_target |= IsTarget(*call->target, info);
  call->on_socket |= S_ISSOCK(info.st_mode);
  call->on_master |= IsMaster(info);
}

// Allowed for descendants of the same real user, also under yama 1.
bool ReadMemory(pid_t pid, uint64_t address, void* out, size_t size) {
  iovec local{out, size};
  iovec remote{reinterpret_cast<void*>(address), size};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0) ==
         static_cast<ssize_t>(size);
}

wire::Waiting PollVerdict(const Call& call, bool has_timeout) {
  if (!call.on_target) return wire::Waiting::kSleepOther;
  return has_timeout ? wire::Waiting::kPollTimeout : wire::Waiting::kPoll;
}

// ---- One function for each shape of call ----

wire::Waiting JudgeRead(Call* call) {
  Note(call, static_cast<int>(call->args[0]));
  return call->on_target ? wire::Waiting::kRead : wire::Waiting::kSleepOther;
}

// A program that polls the terminal for output only waits for something
// else.
void NotePollFds(Call* call, const std::vector<pollfd>& set) {
  for (const pollfd& entry : set) {
    bool input = entry.events & (POLLIN | POLLRDNORM);
    if (entry.fd >= 0 && input) Note(call, entry.fd);
  }
}

// poll(2) and ppoll(2) differ in their time limit only.
wire::Waiting JudgePollSet(Call* call, bool has_timeout) {
  auto count =
      std::min<uint64_t>(static_cast<uint32_t>(call->args[1]), kMaxPollFds);
  if (count == 0 || call->args[0] == 0) return wire::Waiting::kSleepOther;
  std::vector<pollfd> set(count);
  if (!ReadMemory(call->pid, call->args[0], set.data(),
                  count * sizeof(pollfd))) {
    return wire::Waiting::kOpaque;
  }
  NotePollFds(call, set);
  return PollVerdict(*call, has_timeout);
}

wire::Waiting JudgePoll(Call* call) {
  return JudgePollSet(call, static_cast<int>(call->args[2]) >= 0);
}

wire::Waiting JudgePpoll(Call* call) {
  return JudgePollSet(call, call->args[2] != 0);
}

// After SIGSTOP and SIGCONT a poll() shows as restart_syscall, with its old
// arguments still in the registers.
wire::Waiting JudgeRestarted(Call* call) {
  uint64_t count = call->args[1];
  if (count == 0 || count > kMaxRestartedFds) return wire::Waiting::kSleepOther;
  std::vector<pollfd> set(count);
  if (!ReadMemory(call->pid, call->args[0], set.data(),
                  count * sizeof(pollfd))) {
    return wire::Waiting::kSleepOther;
  }
  constexpr int kPlausibleEvents = 0x27FF;
  bool plausible = std::all_of(set.begin(), set.end(), [](const pollfd& e) {
    return e.fd >= -1 && e.fd <= kMaxPlausibleFd &&
           (e.events & ~kPlausibleEvents) == 0;
  });
  if (plausible) NotePollFds(call, set);
  return PollVerdict(*call, static_cast<int>(call->args[2]) >= 0);
}

wire::Waiting JudgeSelect(Call* call) {
  constexpr int kBits = 8 * sizeof(unsigned long);
  int count = std::min(static_cast<int>(call->args[0]), kMaxSelectFds);
  if (count <= 0 || call->args[1] == 0) return wire::Waiting::kSleepOther;
  unsigned long set[kMaxSelectFds / kBits] = {};
  size_t words = static_cast<size_t>((count + kBits - 1) / kBits);
  // The kernel writes its answer on return, so what is there is still the
  // request.
  if (!ReadMemory(call->pid, call->args[1], set, words * sizeof set[0])) {
    return wire::Waiting::kOpaque;
  }
  for (int fd = 0; fd < count; ++fd) {
    if (set[fd / kBits] >> (fd % kBits) & 1) Note(call, fd);
  }
  return PollVerdict(*call, call->args[4] != 0);
}

// The kernel lists what an epoll descriptor watches, one "tfd:" line each.
wire::Waiting JudgeEpollSet(Call* call, bool has_timeout) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", call->pid,
           static_cast<int>(call->args[0]));
  std::string text;
  constexpr size_t kLimit = 64 << 10;
  if (!ReadFileAt(AT_FDCWD, path, kLimit, &text)) return wire::Waiting::kOpaque;
  const char* at = text.c_str();
  for (; (at = strstr(at, "tfd:")) != nullptr; ++at) {
    int fd;
    unsigned events;
    if (sscanf(at, "tfd: %d events: %x", &fd, &events) == 2 &&
        (events & POLLIN)) {
      Note(call, fd);
    }
  }
  return PollVerdict(*call, has_timeout);
}

wire::Waiting JudgeEpoll(Call* call) {
  return JudgeEpollSet(call, static_cast<int>(call->args[3]) >= 0);
}

wire::Waiting JudgeEpoll2(Call* call) {
  return JudgeEpollSet(call, call->args[3] != 0);
}

// Sockets only, so never the terminal.
wire::Waiting JudgeReceive(Call* call) {
  call->on_socket = true;
  return wire::Waiting::kSleepOther;
}

// The calls that can wait for a terminal. The numbers differ by architecture
// and some are missing on newer ones.
struct CallRow {
  long number;
  wire::Waiting (*judge)(Call*);
};
constexpr CallRow kCalls[] = {
    {SYS_read, JudgeRead},
    {SYS_readv, JudgeRead},
    {SYS_pread64, JudgeRead},
    {SYS_preadv, JudgeRead},
    {SYS_preadv2, JudgeRead},
    {SYS_recvfrom, JudgeReceive},
    {SYS_recvmsg, JudgeReceive},
    {SYS_ppoll, JudgePpoll},
    {SYS_pselect6, JudgeSelect},
    {SYS_epoll_pwait, JudgeEpoll},
    {kEpollPwait2, JudgeEpoll2},
#ifdef SYS_poll
    {SYS_poll, JudgePoll},
    // Only where poll() exists, whose arguments these are.
    {SYS_restart_syscall, JudgeRestarted},
#endif
#ifdef SYS_select
    {SYS_select, JudgeSelect},
#endif
#ifdef SYS_epoll_wait
    {SYS_epoll_wait, JudgeEpoll},
#endif
};

// ---- Threads, processes, groups ----

// A sleeping child never vetoes: `cat | sleep 50` does read the terminal.
void Merge(const Verdict& verdict, Verdict* best) {
  bool active = best->active || verdict.active;
  bool has_peer = best->has_peer || verdict.has_peer;
  if (verdict.waiting > best->waiting) *best = verdict;
  best->active = active;
  best->has_peer = has_peer;
}

wire::Waiting JudgeSleeper(pid_t pid, pid_t tid, const WaitTarget& target,
                           Verdict* verdict) {
  char path[kProcPathSize], text[256];
  snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", pid, tid);
  // Refused for another user's process, a setuid program, by yama.
  if (ReadProcFile(path, text, sizeof text) <= 0) return wire::Waiting::kOpaque;
  if (strncmp(text, "running", 7) == 0) return wire::Waiting::kRunning;
  Call call{.pid = pid, .number = 0, .args = {}, .target = &target};
  unsigned long long args[6];
  if (sscanf(text, "%ld %llx %llx %llx %llx %llx %llx", &call.number, &args[0],
             &args[1], &args[2], &args[3], &args[4], &args[5]) < 7) {
    return wire::Waiting::kOpaque;
  }
  std::copy(std::begin(args), std::end(args), call.args);
  for (const CallRow& row : kCalls) {
    if (row.number != call.number) continue;
    wire::Waiting waiting = row.judge(&call);
    verdict->has_peer = call.on_socket;
    verdict->relays = call.on_target && call.on_master;
    return waiting;
  }
  return wire::Waiting::kSleepOther;
}

// A thread in D counts as running: it is waiting for a disk, not for us.
Verdict JudgeThread(pid_t pid, pid_t tid, const WaitTarget& target) {
  ProcessStat stat;
  if (!ReadThreadStat(pid, tid, &stat)) return {};
  switch (stat.state) {
    case 'R':
    case 'D':
      return {.waiting = wire::Waiting::kRunning, .pid = pid, .active = true};
    case 'T':
    case 't':
      return {.waiting = wire::Waiting::kStopped, .pid = pid};
    case 'Z':
    case 'X':
      return {};
  }
  Verdict verdict{.pid = pid};
  verdict.waiting = JudgeSleeper(pid, tid, target, &verdict);
  verdict.active = verdict.waiting == wire::Waiting::kRunning;
  return verdict;
}

// A 32-bit program has other call numbers and structures.
bool Is64Bit(pid_t pid) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/exe", pid);
  UniqueFd fd(open(path, O_RDONLY | O_CLOEXEC));
  unsigned char ident[5] = {};
  constexpr unsigned char kElfClass64 = 2;
  return fd.valid() && ReadSome(fd.get(), ident, sizeof ident) == 5 &&
         ident[4] == kElfClass64;
}

// The best of all threads; a thread pool asleep says nothing.
Verdict JudgeProcess(pid_t pid, const WaitTarget& target) {
  Verdict best;
  for (pid_t tid : ReadThreads(pid)) {
    Merge(JudgeThread(pid, tid, target), &best);
  }
  if (best.waiting >= wire::Waiting::kPollTimeout && !Is64Bit(pid)) {
    best.waiting = wire::Waiting::kOpaque;
  }
  return best;
}

// Index of the terminal whose master this process holds, -1 for none.
int InnerIndex(pid_t pid) {
  char path[kProcPathSize], text[1024];
  snprintf(path, sizeof path, "/proc/%d/fd", pid);
  for (int fd : ReadNumberedEntries(path)) {
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
    struct stat info;
    if (stat(path, &info) != 0 || !IsMaster(info)) continue;
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", pid, fd);
    if (ReadProcFile(path, text, sizeof text) <= 0) continue;
    const char* index = strstr(text, "tty-index:");
    if (index != nullptr) return atoi(index + strlen("tty-index:"));
  }
  return -1;
}

// The device number of stat's tty field, if it is a Unix98 terminal.
bool UnpackPts(int packed, uint64_t* device, int* index) {
  constexpr int kFirstMajor = 136, kMajors = 8, kMinors = 256;
  int major_number = packed >> 8 & 0xFFF;
  int minor_number = (packed & 0xFF) | (packed >> 12 & 0xFFF00);
  if (major_number < kFirstMajor || major_number >= kFirstMajor + kMajors) {
    return false;
  }
  *device = makedev(static_cast<unsigned>(major_number),
                    static_cast<unsigned>(minor_number));
  *index = (major_number - kFirstMajor) * kMinors + minor_number;
  return true;
}

// `members` is one walk of the whole tree, because what leaves the group's
// parent hangs below the holder.
Verdict JudgeGroup(const std::vector<Member>& members, pid_t pgrp,
                   const WaitTarget& target, int depth);

// `outer` waits for us on behalf of what runs in the terminal `index`, which is
// of its own.
Verdict LookThrough(const std::vector<Member>& members, const Verdict& outer,
                    int index, int depth) {
  for (const Member& member : members) {
    WaitTarget target;
    int its_index;
    if (member.stat.tty_pgrp <= 0 ||
        !UnpackPts(member.stat.tty, &target.identity, &its_index) ||
        its_index != index) {
      continue;
    }
    Verdict verdict =
        JudgeGroup(members, member.stat.tty_pgrp, target, depth + 1);
    // mc may stop the shell behind its panels and reads the keys itself.
    if (verdict.waiting <= wire::Waiting::kStopped) return outer;
    if (verdict.inner.index < 0) verdict.inner = {index, target.identity};
    return verdict;
  }
  // Nobody uses the other terminal. One that watches both has yet to start its
  // program; one that watches ours only has done with it.
  Verdict verdict = outer;
  if (outer.relays) verdict.waiting = wire::Waiting::kSleepOther;
  return verdict;
}

Verdict JudgeGroup(const std::vector<Member>& members, pid_t pgrp,
                   const WaitTarget& target, int depth) {
  Verdict best;
  for (const Member& member : members) {
    if (member.stat.pgrp != pgrp) continue;
    Verdict verdict = JudgeProcess(member.pid, target);
    verdict.job_control = member.stat.Ignores(SIGTTOU);
    Merge(verdict, &best);
  }
  if (best.waiting < wire::Waiting::kPollTimeout || depth >= kMaxDepth)
    return best;
  int inner = InnerIndex(best.pid);
  return inner < 0 ? best : LookThrough(members, best, inner, depth);
}

// Parents stand before their children, so one pass from the end meets every
// ancestor.
std::vector<pid_t> LineageOf(const std::vector<Member>& members, pid_t pid) {
  std::vector<pid_t> groups;
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    if (member->pid != pid) continue;
    pid = member->stat.parent;
    if (groups.empty() || groups.back() != member->stat.pgrp) {
      groups.push_back(member->stat.pgrp);
    }
  }
  return groups;
}

}  // namespace

Verdict LookAtForeground(pid_t pgrp, const WaitTarget& target) {
  if (pgrp <= 0) return {};
  std::vector<Member> members = WalkTree();
  Verdict verdict = JudgeGroup(members, pgrp, target, 0);
  verdict.lineage = LineageOf(members, verdict.pid);
  return verdict;
}

}  // namespace glasstty::holder

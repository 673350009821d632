// On a busy 2-core machine, reading a file in /proc takes at most 3 us (stat)
// or 4 us (syscall, children), and process_vm_readv(2) takes 1 us. Examining
// node, with its 11 threads, takes 65-350 us. The evidence is system calls and
// their arguments, because /proc/PID/wchan does not distinguish a terminal from
// a socket, and /proc/PID/stack needs CAP_SYS_ADMIN.
#include "holder/foreground.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/fd.h"
#include "holder/near_end.h"
#include "holder/proc.h"
#include "holder/ring.h"
#include "holder/tree.h"

namespace glasstty::holder {
namespace {

constexpr int kMaxDepth = 4;  // of terminals inside terminals, and of epoll
                              // descriptors inside epoll descriptors
constexpr uint64_t kMaxPollFds = 1024;
constexpr int kMaxSelectFds = 1024;
// A restarted call may have been nanosleep or futex, so its arguments count as
// those of poll(2) only if they describe a short list of plausible entries.
constexpr uint64_t kMaxRestartedFds = 64;
constexpr int kMaxPlausibleFd = 1 << 20;
// These numbers are the same on all architectures, but older headers lack them.
constexpr int kIoUringEnter = 426, kEpollPwait2 = 441;

// A thread that sleeps in a system call, and the descriptors for which that
// call waits.
struct Call {
  pid_t tid;
  long number;
  uint64_t args[6];
  const WaitTarget* target;
  bool on_target = false;
  bool on_master = false;  // on the master of another terminal
  std::vector<int> sockets = {};
  bool on_other = false;  // on something that is none of the above
};

// Returns the terminal in the tty field of /proc/PID/stat; index -1 if it is
// not a Unix98 pseudo-terminal.
InnerTerminal UnpackTerminal(int packed) {
  return TerminalOfDevice(
      makedev(packed >> 8 & 0xFFF, (packed & 0xFF) | (packed >> 12 & 0xFFF00)));
}

// Returns true if the descriptor is /dev/tty, opened by a process whose
// controlling terminal is the target.
bool IsOwnTerminal(const Call& call, const struct stat& info) {
  if (!S_ISCHR(info.st_mode) || info.st_rdev != makedev(5, 0)) return false;
  std::optional<ProcessStat> stat = ReadProcessStat(call.tid);
  return stat && UnpackTerminal(stat->tty).device == call.target->identity;
}

bool IsMaster(const struct stat& info) {
  return S_ISCHR(info.st_mode) && info.st_rdev == makedev(5, 2);
}

void NoteNested(Call* call, int fd, int depth);

// Records that the call waits for input from descriptor `fd`. The descriptor
// may be an epoll descriptor (Racket, nested event loops) or an io_uring(7).
void Note(Call* call, int fd, int depth = 0) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", call->tid, fd);
  struct stat info;
  if (stat(path, &info) != 0) return;
  bool has_no_type = (info.st_mode & S_IFMT) == 0;
  if (call->target->Is(info) || IsOwnTerminal(*call, info)) {
    call->on_target = true;
  } else if (S_ISSOCK(info.st_mode)) {
    call->sockets.push_back(fd);
  } else if (IsMaster(info)) {
    call->on_master = true;
  } else if (has_no_type && depth < kMaxDepth) {
    NoteNested(call, fd, depth + 1);
  } else {
    call->on_other = true;
  }
}

void NoteWatched(Call* call, const std::vector<Watched>& set, int depth) {
  for (const Watched& one : set) {
    if ((one.events & POLLIN) != 0) Note(call, one.fd, depth);
  }
}

// `fd` has no type: it is an epoll descriptor, io_uring, timer or event.
void NoteNested(Call* call, int fd, int depth) {
  auto set = ReadWatched(call->tid, fd);
  if (set && !set->empty()) return NoteWatched(call, *set, depth);
  auto inputs = ReadArmedInputs(call->tid, fd);
  call->on_other |= !inputs || inputs->empty();
  if (!inputs) return;
  for (const ArmedInput& input : *inputs) Note(call, input.fd, depth);
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

// Skips output events: a program that polls for output waits for other things.
void NotePollFds(Call* call, const std::vector<pollfd>& set) {
  for (const pollfd& entry : set) {
    bool input = entry.events & (POLLIN | POLLRDNORM);
    if (entry.fd >= 0 && input) Note(call, entry.fd);
  }
}

// poll(2) and ppoll(2) differ only in the form of the time limit.
wire::Waiting JudgePollSet(Call* call, bool has_timeout) {
  auto count =
      std::min<uint64_t>(static_cast<uint32_t>(call->args[1]), kMaxPollFds);
  if (count == 0 || call->args[0] == 0) return wire::Waiting::kSleepOther;
  std::vector<pollfd> set(count);
  if (!ReadMemory(call->tid, call->args[0], set.data(),
                  count * sizeof(pollfd))) {
    return wire::Waiting::kOpaque;
  }
  NotePollFds(call, set);
  return PollVerdict(*call, has_timeout);
}

// Newer architectures do not have poll(2).
[[maybe_unused]] wire::Waiting JudgePoll(Call* call) {
  return JudgePollSet(call, static_cast<int>(call->args[2]) >= 0);
}

wire::Waiting JudgePpoll(Call* call) {
  return JudgePollSet(call, call->args[2] != 0);
}

// After SIGSTOP and SIGCONT, a poll(2) appears as restart_syscall(2), with its
// old arguments still in the registers.
[[maybe_unused]] wire::Waiting JudgeRestarted(Call* call) {
  uint64_t count = call->args[1];
  if (count == 0 || count > kMaxRestartedFds) return wire::Waiting::kSleepOther;
  std::vector<pollfd> set(count);
  if (!ReadMemory(call->tid, call->args[0], set.data(),
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
  // The kernel overwrites the set only when the call returns, so it still
  // contains the request.
  if (!ReadMemory(call->tid, call->args[1], set, words * sizeof set[0])) {
    return wire::Waiting::kOpaque;
  }
  for (int fd = 0; fd < count; ++fd) {
    if (set[fd / kBits] >> (fd % kBits) & 1) Note(call, fd);
  }
  return PollVerdict(*call, call->args[4] != 0);
}

wire::Waiting JudgeEpollSet(Call* call, bool has_timeout) {
  auto set = ReadWatched(call->tid, static_cast<int>(call->args[0]));
  if (!set) return wire::Waiting::kOpaque;
  NoteWatched(call, *set, 0);
  return PollVerdict(*call, has_timeout);
}

wire::Waiting JudgeEpoll(Call* call) {
  return JudgeEpollSet(call, static_cast<int>(call->args[3]) >= 0);
}

wire::Waiting JudgeEpoll2(Call* call) {
  return JudgeEpollSet(call, call->args[3] != 0);
}

// These calls accept sockets only, so they never read the terminal.
wire::Waiting JudgeReceive(Call* call) {
  call->sockets.push_back(static_cast<int>(call->args[0]));
  return wire::Waiting::kSleepOther;
}

wire::Waiting JudgeRing(Call* call) {
  auto inputs = ReadArmedInputs(call->tid, static_cast<int>(call->args[0]));
  if (!inputs) return wire::Waiting::kOpaque;
  bool reads = false;
  for (const ArmedInput& input : *inputs) {
    bool was_on_target = call->on_target;
    Note(call, input.fd);
    reads |= input.reads && call->on_target && !was_on_target;
  }
  if (reads) return wire::Waiting::kRead;
  // IORING_ENTER_EXT_ARG: the call may have a time limit.
  constexpr uint64_t kExtendedArgument = 1u << 3;
  return PollVerdict(*call, (call->args[3] & kExtendedArgument) != 0);
}

// The calls that can wait for a terminal or a socket. Newer architectures lack
// some of them.
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
    {kIoUringEnter, JudgeRing},
#ifdef SYS_poll
    {SYS_poll, JudgePoll},
    // This can have the arguments of poll(2) only where poll(2) exists.
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

// The strongest verdict wins, so a sleeping process never outweighs a reader.
// For example, the group of `cat | sleep 50` reads.
void Merge(const Verdict& verdict, Verdict* best) {
  bool active = best->active || verdict.active;
  bool has_peer = best->has_peer || verdict.has_peer;
  if (verdict.waiting > best->waiting) *best = verdict;
  best->active = active;
  best->has_peer = has_peer;
}

// A 32-bit program uses other call numbers and structures, which are not
// supported. Its addresses have 32 bits, so a greater `stack`, which most
// programs have, shows that a program is 64-bit.
bool Is64Bit(pid_t tid, uint64_t stack) {
  if (stack > UINT32_MAX) return true;
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/exe", tid);
  UniqueFd fd(open(path, O_RDONLY | O_CLOEXEC));
  unsigned char ident[5] = {};
  constexpr unsigned char kElfClass64 = 2;
  return fd.valid() && ReadSome(fd.get(), ident, sizeof ident) == 5 &&
         ident[4] == kElfClass64;
}

// Reads everything from the thread's entries in /proc, because a process whose
// first thread has ended shows nothing in its own entries.
wire::Waiting JudgeSleeper(pid_t pid, pid_t tid, const WaitTarget& target,
                           Verdict* verdict) {
  SystemCall read = ReadSystemCall(pid, tid);
  using Kind = SystemCall::Kind;
  if (read.kind == Kind::kUnknown) {
    // The thread may have ended since its state was read.
    std::optional<ProcessStat> stat = ReadThreadStat(pid, tid);
    bool lives = stat && stat->state != 'Z' && stat->state != 'X';
    return lives ? wire::Waiting::kOpaque : wire::Waiting::kGone;
  }
  if (read.kind == Kind::kRunning) return wire::Waiting::kRunning;
  Call call{.tid = tid, .number = read.number, .args = {}, .target = &target};
  std::copy(std::begin(read.args), std::end(read.args), call.args);
  for (const CallRow& row : kCalls) {
    if (row.number != call.number) continue;
    wire::Waiting waiting = row.judge(&call);
    verdict->has_peer = !call.sockets.empty();
    verdict->relays = call.on_target && call.on_master;
    bool has_only_sockets = !call.on_master && !call.on_other;
    verdict->near_end =
        call.on_target && has_only_sockets && LeadElsewhere(pid, call.sockets);
    bool is_known =
        waiting < wire::Waiting::kPollTimeout || Is64Bit(tid, read.stack);
    return is_known ? waiting : wire::Waiting::kOpaque;
  }
  return wire::Waiting::kSleepOther;
}

// A thread in state D counts as running: it waits for a disk, not for input.
Verdict JudgeThread(const Member& member, pid_t tid, const WaitTarget& target) {
  pid_t pid = member.pid;
  std::optional<char> state = ReadState(member, tid);
  if (!state) return {};
  switch (*state) {
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

// Returns the strongest verdict of all threads.
Verdict JudgeProcess(const Member& member, const WaitTarget& target) {
  Verdict best;
  for (pid_t tid : ReadThreads(member.pid, member.stat.threads)) {
    Merge(JudgeThread(member, tid, target), &best);
  }
  return best;
}

// `members` is the whole tree, because orphans of the group are children of the
// holder.
Verdict JudgeGroup(const std::vector<Member>& members, pid_t pgrp,
                   const WaitTarget& target, int depth);

// `outer` is the verdict on a process that waits for `target` and holds the
// master of the terminal `index`. If that process is a relay, returns the
// verdict on the program in the inner terminal instead.
Verdict LookThrough(const std::vector<Member>& members, const Verdict& outer,
                    const WaitTarget& target, int index, int depth) {
  bool known = IsKnownRelay(outer.pid);
  InnerTerminal around = TerminalOfDevice(target.identity);
  around.user = outer.pid;
  for (const Member& member : members) {
    InnerTerminal inner = UnpackTerminal(member.stat.tty);
    if (member.stat.tty_pgrp <= 0 || inner.index != index) continue;
    inner.user = member.pid;
    WaitTarget inside{.identity = inner.device,
                      .filesystem = FilesystemOf(inner)};
    if (inside.identity == target.identity &&
        inside.filesystem == target.filesystem) {
      continue;
    }
    bool relays = known || (outer.relays && LooksLikeRelay(around, inner));
    if (!relays) return outer;
    Verdict verdict =
        JudgeGroup(members, member.stat.tty_pgrp, inside, depth + 1);
    // If no program inside can take keys, the relay itself may take them.
    if (verdict.waiting <= wire::Waiting::kStopped) return outer;
    if (verdict.inner.index < 0) verdict.inner = inner;
    return verdict;
  }
  // No process uses the inner terminal. A relay that watches both terminals has
  // yet to start its program. A relay that watches only the outer terminal no
  // longer uses the inner one.
  Verdict verdict = outer;
  if (known && outer.relays) verdict.waiting = wire::Waiting::kSleepOther;
  return verdict;
}

Verdict JudgeGroup(const std::vector<Member>& members, pid_t pgrp,
                   const WaitTarget& target, int depth) {
  Verdict best;
  for (const Member& member : members) {
    if (member.stat.pgrp != pgrp) continue;
    Verdict verdict = JudgeProcess(member, target);
    verdict.job_control = member.stat.Ignores(SIGTTOU);
    Merge(verdict, &best);
  }
  if (best.waiting < wire::Waiting::kPollTimeout || depth >= kMaxDepth)
    return best;
  HeldTerminals held = ReadHeldTerminals(best.pid, target);
  if (held.inner >= 0) {
    return LookThrough(members, best, target, held.inner, depth);
  }
  best.near_end |= held.other;
  return best;
}

// Parents precede their children in `members`, so one backward pass finds every
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

// ---- Outside the foreground ----

bool IsControlledBy(const Member& member, const WaitTarget& target) {
  return UnpackTerminal(member.stat.tty).device == target.identity;
}

// Returns the strongest verdict of the processes whose controlling terminal is
// not `target`. Job control does not stop them when they read `target`.
// Examples are programs that gpg-agent has started, or that run in a sandbox.
Verdict JudgeOutside(const std::vector<Member>& members, pid_t pgrp,
                     const WaitTarget& target) {
  Verdict best;
  for (const Member& member : members) {
    if (member.stat.pgrp == pgrp || IsControlledBy(member, target)) continue;
    Verdict verdict = JudgeProcess(member, target);
    if (verdict.waiting <= best.waiting) continue;
    best = verdict;
    best.job_control = member.stat.Ignores(SIGTTOU);
  }
  return best.waiting >= wire::Waiting::kPollTimeout ? best : Verdict();
}

// Returns true if the process was stopped because it tried to read or change
// the terminal (SIGTTIN, SIGTTOU). Such a process is still in that system call,
// which restarts when the process continues.
bool WantsTerminal(const Member& member, const WaitTarget& target) {
  if (member.stat.state != 'T' || !IsControlledBy(member, target)) return false;
  SystemCall read = ReadSystemCall(member.pid, member.pid);
  bool may_want = read.number == SYS_read || read.number == SYS_readv ||
                  read.number == SYS_ioctl;
  if (read.kind != SystemCall::Kind::kAsleep || !may_want) return false;
  Call call{
      .tid = member.pid, .number = read.number, .args = {}, .target = &target};
  Note(&call, static_cast<int>(read.args[0]));
  return call.on_target;
}

pid_t FindStopped(const std::vector<Member>& members,
                  const WaitTarget& target) {
  auto found = std::ranges::find_if(members, [&target](const Member& member) {
    return WantsTerminal(member, target);
  });
  return found == members.end() ? 0 : found->pid;
}

// Adds to the verdict the processes outside the foreground that want input of
// the terminal.
void LookOutside(const std::vector<Member>& members, pid_t pgrp,
                 const WaitTarget& target, Verdict* verdict) {
  bool sleeps = verdict->waiting == wire::Waiting::kSleepOther;
  bool is_shell = verdict->waiting >= wire::Waiting::kPollTimeout &&
                  verdict->job_control && verdict->inner.index < 0;
  if (!sleeps && !is_shell) return;
  if (sleeps) verdict->stopped = FindStopped(members, target);
  Verdict outside = JudgeOutside(members, pgrp, target);
  verdict->outside = outside.pid;
  if (!sleeps || outside.pid == 0) return;
  verdict->waiting = outside.waiting;
  verdict->pid = outside.pid;
  verdict->active |= outside.active;
  verdict->job_control = outside.job_control;
}

}  // namespace

Verdict LookAtForeground(pid_t pgrp, const WaitTarget& target) {
  if (pgrp <= 0) return {};
  std::vector<Member> members = WalkTree();
  Verdict verdict = JudgeGroup(members, pgrp, target, 0);
  verdict.lineage = LineageOf(members, verdict.pid);
  if (target.terminal) LookOutside(members, pgrp, target, &verdict);
  return verdict;
}

}  // namespace glasstty::holder

// A time-out is an argument of the system call in which a thread sleeps, and
// the kernel leaves it unchanged until the call returns. So these functions
// find the maximum duration of a call, not its remaining time, except for
// absolute times and timerfds.
#include "holder/pending_work.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "base/fd.h"
#include "holder/proc.h"

namespace glasstty::holder {
namespace {

// The maximum number of threads that are examined, so that the holder does not
// neglect its log. A browser engine has some 60 threads.
constexpr int kMostThreads = 256;
constexpr int kEpollPwait2Call = 441;  // same number everywhere
constexpr int64_t kNanosPerMs = 1'000'000;
constexpr int64_t kNanosPerSecond = 1'000'000'000;

// A thread that sleeps in a system call.
struct SleepingCall : SystemCall {
  pid_t tid = 0;
};

// A time-out in nanoseconds; nullopt if only an event ends the call.
using TimeOut = std::optional<int64_t>;

template <typename T>
std::optional<T> ReadValue(pid_t pid, uint64_t address) {
  T value;
  if (address == 0 || !ReadMemory(pid, address, &value, sizeof value)) {
    return std::nullopt;
  }
  return value;
}

int64_t ToNanos(int64_t seconds, int64_t nanos) {
  // This is longer than any relevant wait, and does not overflow.
  constexpr int64_t kLongest = 1'000'000;
  return std::clamp<int64_t>(seconds, -kLongest, kLongest) * kNanosPerSecond +
         nanos;
}

// ---- One function for each form of a time-out, in the argument `index`.

TimeOut InMilliseconds(const SleepingCall& call, int index) {
  int ms = static_cast<int>(call.args[index]);
  if (ms < 0) return std::nullopt;
  return int64_t{ms} * kNanosPerMs;
}

TimeOut InTimespec(const SleepingCall& call, int index) {
  auto time = ReadValue<timespec>(call.tid, call.args[index]);
  if (!time) return std::nullopt;
  return ToNanos(time->tv_sec, time->tv_nsec);
}

#ifdef SYS_select
TimeOut InTimeval(const SleepingCall& call, int index) {
  auto time = ReadValue<timeval>(call.tid, call.args[index]);
  if (!time) return std::nullopt;
  return ToNanos(time->tv_sec, int64_t{time->tv_usec} * 1000);
}
#endif

// The call ends when `clock` reaches the absolute time.
TimeOut UntilTimespec(const SleepingCall& call, int index, clockid_t clock) {
  timespec now;
  TimeOut end = InTimespec(call, index);
  if (!end || clock_gettime(clock, &now) != 0) return std::nullopt;
  return std::max<int64_t>(*end - ToNanos(now.tv_sec, now.tv_nsec), 0);
}

// clock_nanosleep(2)
TimeOut OfClockSleep(const SleepingCall& call, int index) {
  bool absolute = (call.args[1] & TIMER_ABSTIME) != 0;
  auto clock = static_cast<clockid_t>(call.args[0]);
  return absolute ? UntilTimespec(call, index, clock) : InTimespec(call, index);
}

// futex(2), by which threads wait for each other.
TimeOut OfFutex(const SleepingCall& call, int index) {
  auto operation = static_cast<int>(call.args[1]);
  bool wall = (operation & FUTEX_CLOCK_REALTIME) != 0;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      return InTimespec(call, index);
    case FUTEX_WAIT_BITSET:
      return UntilTimespec(call, index,
                           wall ? CLOCK_REALTIME : CLOCK_MONOTONIC);
    default:
      return std::nullopt;
  }
}

// Returns the remaining time of the descriptor if it is a timer
// (timerfd_create(2)).
TimeOut LeftOfTimer(pid_t tid, int fd) {
  char path[kProcPathSize], text[512];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", tid, fd);
  ssize_t size = readlink(path, text, sizeof text - 1);
  if (size < 0) return std::nullopt;
  text[size] = '\0';
  if (strcmp(text, "anon_inode:[timerfd]") != 0) return std::nullopt;
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", tid, fd);
  if (ReadProcFile(path, text, sizeof text) <= 0) return std::nullopt;
  const char* value = strstr(text, "it_value: (");
  long long seconds, nanos;
  if (value == nullptr ||
      sscanf(value, "it_value: (%lld, %lld)", &seconds, &nanos) != 2) {
    return std::nullopt;
  }
  // A value of 0 means that the timer is not set.
  if (seconds == 0 && nanos == 0) return std::nullopt;
  return ToNanos(seconds, nanos);
}

TimeOut Earlier(TimeOut a, TimeOut b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

// Returns the remaining time of the timer that ends first among the descriptors
// that `epoll` watches.
TimeOut FirstTimerIn(pid_t tid, int epoll) {
  TimeOut first;
  auto set = ReadWatched(tid, epoll);
  if (!set) return first;
  for (const Watched& one : *set) {
    first = Earlier(first, LeftOfTimer(tid, one.fd));
  }
  return first;
}

// ---- One function for each form of the set of descriptors that a call
// watches. Each returns the remaining time of the timer in the set that ends
// first.

// At most this many descriptors of a set of poll or select are examined,
// because each costs a few microseconds.
constexpr size_t kMostWatched = 64;

TimeOut FirstTimerOfEpoll(const SleepingCall& call) {
  return FirstTimerIn(call.tid, static_cast<int>(call.args[0]));
}

// The descriptor may be an epoll descriptor itself.
TimeOut FirstTimerAt(pid_t tid, int fd) {
  TimeOut left = LeftOfTimer(tid, fd);
  return left ? left : FirstTimerIn(tid, fd);
}

TimeOut FirstTimerOfPoll(const SleepingCall& call) {
  std::vector<pollfd> watched(std::min<uint64_t>(call.args[1], kMostWatched));
  size_t bytes = watched.size() * sizeof(pollfd);
  TimeOut first;
  if (!ReadMemory(call.tid, call.args[0], watched.data(), bytes)) return first;
  for (const pollfd& one : watched) {
    if (one.fd < 0 || (one.events & POLLIN) == 0) continue;
    first = Earlier(first, FirstTimerAt(call.tid, one.fd));
  }
  return first;
}

// Rounds the size of the set up to whole words, as the kernel does.
TimeOut FirstTimerOfSelect(const SleepingCall& call) {
  constexpr size_t kWordBits = 8 * sizeof(unsigned long);
  fd_set readable;
  FD_ZERO(&readable);
  auto end = std::min<uint64_t>(call.args[0], FD_SETSIZE);
  size_t bytes = (end + kWordBits - 1) / kWordBits * sizeof(unsigned long);
  TimeOut first;
  if (call.args[1] == 0 ||
      !ReadMemory(call.tid, call.args[1], &readable, bytes)) {
    return first;
  }
  size_t watched = 0;
  for (int fd = 0; fd < static_cast<int>(end) && watched < kMostWatched; ++fd) {
    if (!FD_ISSET(fd, &readable)) continue;
    ++watched;
    first = Earlier(first, FirstTimerAt(call.tid, fd));
  }
  return first;
}

struct SleepRow {
  long number;
  TimeOut (*time_out)(const SleepingCall& call, int index);
  int index;  // the number of the argument with the time-out
  TimeOut (*first_timer)(const SleepingCall& call) = nullptr;
};
constexpr SleepRow kSleeps[] = {
    {SYS_ppoll, InTimespec, 2, FirstTimerOfPoll},
    {SYS_pselect6, InTimespec, 4, FirstTimerOfSelect},
    {SYS_epoll_pwait, InMilliseconds, 3, FirstTimerOfEpoll},
    {kEpollPwait2Call, InTimespec, 3, FirstTimerOfEpoll},
    {SYS_nanosleep, InTimespec, 0},
    {SYS_clock_nanosleep, OfClockSleep, 2},
    {SYS_futex, OfFutex, 3},
    {SYS_rt_sigtimedwait, InTimespec, 2},
#ifdef SYS_poll
    {SYS_poll, InMilliseconds, 2, FirstTimerOfPoll},
#endif
#ifdef SYS_select
    {SYS_select, InTimeval, 4, FirstTimerOfSelect},
#endif
#ifdef SYS_epoll_wait
    {SYS_epoll_wait, InMilliseconds, 3, FirstTimerOfEpoll},
#endif
};

// Collects what the threads of the foreground do.
class Finding {
 public:
  void Look(const Member& member, pid_t tid);
  bool IsFull() const { return threads_ >= kMostThreads; }
  wire::PendingWork Result() const;

 private:
  void LookAtSleeper(pid_t pid, pid_t tid);
  void Note(TimeOut time_out);
  void CountTurns(pid_t pid, pid_t tid);

  int threads_ = 0;
  // The number of threads, except those that wait for a child to end, as a
  // shell does.
  int actors_ = 0;
  bool runs_ = false;
  uint64_t cpu_ns_ = 0;
  std::set<uint16_t> due_ms_;
  uint64_t turns_ = 14695981039346656037u;
};

void Finding::Note(TimeOut time_out) {
  if (!time_out || *time_out > wire::kLongestDueMs * kNanosPerMs) return;
  // Round up, because a timer ends at its time or a little later.
  int64_t ms =
      (std::max<int64_t>(*time_out, 1) + kNanosPerMs - 1) / kNanosPerMs;
  due_ms_.insert(static_cast<uint16_t>(ms));
}

// The first field of schedstat is the processor time of the thread, and the
// third is how often the thread was scheduled. The hash (FNV-1a) also changes
// when a thread ends.
void Finding::CountTurns(pid_t pid, pid_t tid) {
  char path[kProcPathSize], text[128];
  snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", pid, tid);
  unsigned long long ran = 0, turns = 0;
  if (ReadProcFile(path, text, sizeof text) > 0) {
    sscanf(text, "%llu %*u %llu", &ran, &turns);
  }
  cpu_ns_ += ran;
  for (uint64_t value : {static_cast<uint64_t>(tid), uint64_t{turns}}) {
    turns_ = (turns_ ^ value) * 1099511628211u;
  }
}

void Finding::LookAtSleeper(pid_t pid, pid_t tid) {
  SleepingCall call{ReadSystemCall(pid, tid), tid};
  runs_ = runs_ || call.kind == SystemCall::Kind::kRunning;
  if (call.kind != SystemCall::Kind::kAsleep) return;
  if (call.number == SYS_wait4 || call.number == SYS_waitid) --actors_;
  for (const SleepRow& row : kSleeps) {
    if (row.number != call.number) continue;
    Note(row.time_out(call, row.index));
    if (row.first_timer != nullptr) Note(row.first_timer(call));
    return;
  }
}

// A thread in state D waits for a disk, which counts as running.
void Finding::Look(const Member& member, pid_t tid) {
  ++threads_;
  std::optional<char> state = ReadState(member, tid);
  if (!state) return;
  CountTurns(member.pid, tid);
  ++actors_;
  if (state == 'R' || state == 'D') runs_ = true;
  if (state == 'S') LookAtSleeper(member.pid, tid);
}

wire::PendingWork Finding::Result() const {
  wire::PendingWork work;
  work.known = 1;
  work.runs = runs_;
  work.turns = turns_;
  work.cpu_ns = cpu_ns_;
  work.is_alone = actors_ <= 1;
  // If there are too many time-outs, report the longest ones.
  auto from = due_ms_.begin();
  if (due_ms_.size() > wire::kMaxDue) {
    std::advance(from, due_ms_.size() - wire::kMaxDue);
  }
  std::copy(from, due_ms_.end(), work.due_ms);
  return work;
}

bool IsOneOf(const std::vector<pid_t>& values, pid_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

uint64_t TicksSinceBoot() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  auto ticks = static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
  return static_cast<uint64_t>(now.tv_sec) * ticks +
         static_cast<uint64_t>(now.tv_nsec) * ticks / kNanosPerSecond;
}

// Parents precede their children in `members`, so one pass finds all
// descendants of a member.
wire::PendingWork FindPendingWork(const std::vector<Member>& members,
                                  const std::vector<pid_t>& groups,
                                  pid_t reader, uint64_t since) {
  Finding finding;
  std::set<pid_t> below;
  bool has_started = false, has_helpers = false;
  for (const Member& member : members) {
    bool belongs = IsOneOf(groups, member.stat.pgrp);
    bool is_below = below.contains(member.stat.parent);
    if (!belongs && !is_below) continue;
    below.insert(member.pid);
    bool is_young = is_below && member.stat.start_time >= since;
    has_started = has_started || (is_young && member.pid != reader);
    has_helpers = has_helpers || (is_below && member.pid != reader);
    if (!belongs && !is_young) continue;
    for (pid_t tid : ReadThreads(member.pid, member.stat.threads)) {
      if (finding.IsFull()) break;
      finding.Look(member, tid);
    }
  }
  wire::PendingWork work = finding.Result();
  work.has_started = has_started;
  work.is_alone = work.is_alone && !has_helpers;
  return work;
}

}  // namespace glasstty::holder

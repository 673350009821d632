// In tests, ten kinds of trees end in 2-5 ms. Among them are sixty daemons, and
// a chain in which each process forks a successor in a new session and exits.
#include "holder/kill_loop.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <set>
#include <vector>

#include "holder/tree.h"

namespace glasstty::holder {
namespace {

constexpr auto kGiveUpAfter = std::chrono::seconds(5);
constexpr auto kPause = std::chrono::microseconds(200);
// No pause follows the first rounds, because two rounds end nearly every tree.
constexpr int kQuickRounds = 4;
constexpr int kFreezeAfter = 20;
constexpr auto kFreezeLimit = std::chrono::milliseconds(300);
constexpr int kForbiddenRounds = 10;

// Sends SIGSTOP until a walk finds no process that has not got it.
void Freeze() {
  std::set<pid_t> stopped;
  Time deadline = MonotonicNow() + kFreezeLimit;
  while (MonotonicNow() < deadline) {
    bool fresh = false;
    for (const Member& member : WalkTree()) {
      if (!stopped.insert(member.pid).second) continue;
      fresh = true;
      SignalMember(member, SIGSTOP);
    }
    if (!fresh) return;
  }
}

}  // namespace

// Kills each process group of a child by one call, because a fork bomb is
// mostly one group, and its thousands of processes leave us little time. This
// is safe although group numbers are reused: a number stays in use while one of
// our children, dead or alive, is in the group, and no child is reaped here. A
// group of the tree contains no foreign processes, because its session began in
// the tree.
void KillGroupsOfChildren() {
  std::vector<pid_t> children;
  AppendChildren(getpid(), kOwnThreads, &children);
  std::set<pid_t> done;
  for (pid_t child : children) {
    auto stat = ReadProcessStat(child);
    if (!stat || stat->parent != getpid()) continue;
    bool usable = stat->pgrp > 1 && stat->pgrp != getpgrp();
    if (usable && done.insert(stat->pgrp).second) kill(-stat->pgrp, SIGKILL);
  }
}

void KillLoop::Start(Time now) {
  *this = KillLoop();
  deadline_ = now + kGiveUpAfter;
}

KillLoop::Result KillLoop::Step(Time now) {
  // TreeIsEmpty is exact, while a walk that finds nothing may have missed a
  // fork.
  if (TreeIsEmpty()) return Result::kDone;
  if (now >= deadline_) return Result::kGaveUp;
  if (rounds_without_progress_ >= kFreezeAfter) {
    Freeze();
    rounds_without_progress_ = 0;
  }
  Count count = KillAll();
  // If only another user's processes are left, waiting does not help.
  bool forbidden = count.alive > 0 && count.forbidden == count.alive;
  forbidden_rounds_ = forbidden ? forbidden_rounds_ + 1 : 0;
  if (forbidden_rounds_ >= kForbiddenRounds) return Result::kGaveUp;
  // Progress means that fewer processes live than ever before. Kills alone are
  // no progress, because a chain of forks replaces the killed processes.
  bool progress = rounds_ == 0 || count.alive < fewest_;
  rounds_without_progress_ = progress ? 0 : rounds_without_progress_ + 1;
  if (progress) fewest_ = count.alive;
  ++rounds_;
  next_ = rounds_ <= kQuickRounds ? now : now + kPause;
  return Result::kAgain;
}

// If a process forks between the walk and its signal, the next round finds the
// new process, which has become a child of the holder.
KillLoop::Count KillLoop::KillAll() {
  Count count;
  KillGroupsOfChildren();
  for (const Member& member : WalkTree()) {
    ++count.alive;
    if (!SignalMember(member, SIGKILL) && errno == EPERM) ++count.forbidden;
  }
  return count;
}

}  // namespace glasstty::holder

// Ten kinds of trees, among them sixty daemons and a chain in which each
// process forks a successor in a session of its own and exits, end in 2-5 ms.
#include "holder/kill_loop.h"

#include <signal.h>

#include <chrono>
#include <set>
#include <vector>

#include "holder/tree.h"

namespace glasstty {
namespace {

constexpr auto kGiveUpAfter = std::chrono::seconds(5);
constexpr auto kPause = std::chrono::microseconds(200);
// Without a pause; the first two end nearly every tree.
constexpr int kQuickRounds = 4;
constexpr int kFreezeAfter = 20;
constexpr int kMaxFreezeRounds = 200;

// Stops whatever is new until nothing is new: then nobody forks any more.
void Freeze() {
  std::set<pid_t> stopped;
  for (int round = 0; round < kMaxFreezeRounds; ++round) {
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

void KillLoop::Start(Time now) {
  *this = KillLoop();
  deadline_ = now + kGiveUpAfter;
}

KillLoop::Result KillLoop::Step(Time now) {
  // Exact, where a walk that finds nothing may have missed a fork.
  if (TreeIsEmpty()) return Result::kDone;
  if (now >= deadline_) return Result::kGaveUp;
  if (rounds_without_progress_ >= kFreezeAfter) {
    Freeze();
    rounds_without_progress_ = 0;
  }
  size_t count = KillAll();
  // Counted by who is alive: a chain of forks keeps the number up.
  bool progress = rounds_ == 0 || count < fewest_;
  rounds_without_progress_ = progress ? 0 : rounds_without_progress_ + 1;
  if (progress) fewest_ = count;
  ++rounds_;
  next_ = rounds_ <= kQuickRounds ? now : now + kPause;
  return Result::kAgain;
}

// Returns how many it found alive.
// A process may fork between the walk and its signal; the child is found by
// the next round, because it can only come back to us.
size_t KillLoop::KillAll() {
  std::vector<Member> members = WalkTree();
  for (const Member& member : members) SignalMember(member, SIGKILL);
  return members.size();
}

}  // namespace glasstty

#include "holder/ending.h"

#include <signal.h>

#include <algorithm>
#include <chrono>

#include "holder/tree.h"

namespace glasstty::holder {
namespace {

using std::chrono::milliseconds;

// This is long enough for other processes to die that got the same hang-up, but
// too short for a person to notice.
constexpr milliseconds kSettle{50};
constexpr milliseconds kForceLimit{1000};
constexpr milliseconds kHangUpLimit{500};
// Processes are polled at intervals that grow from kFirstLook to kLastLook,
// because only our children announce their end (SIGCHLD).
constexpr milliseconds kFirstLook{1};
constexpr milliseconds kLastLook{50};

// Signals each member instead of the group, whose number may belong to foreign
// processes once none of ours is in it.
void SignalGroup(pid_t pgrp, int signal) {
  for (const Member& member : WalkTree()) {
    if (member.stat.pgrp == pgrp) SignalMember(member, signal);
  }
}

}  // namespace

// May be called again during an end, for a shorter grace or more force. The
// phases then start over, and the signals are sent again.
void Ending::Close(const Plan& plan, pid_t leader, Time now) {
  plan_ = plan;
  leader_ = leader;
  if (leader > 0) leader_group_ = leader;  // it called setsid(2)
  foreground_ = 0;
  gave_up_ = false;
  Enter(plan.wait_for_eof && leader > 0 ? Phase::kEof : Phase::kPolite, now);
  next_ = now;
}

void Ending::Kill(Time now) {
  gave_up_ = false;
  Enter(Phase::kKill, now);
  next_ = now;
}

void Ending::Reported() {
  phase_ = Phase::kNone;
  next_ = Time::max();
}

void Ending::Enter(Phase phase, Time now) {
  phase_ = phase;
  poll_ = kFirstLook;
  switch (phase) {
    case Phase::kEof:
      deadline_ = now + plan_.grace / 2;
      break;
    case Phase::kPolite:
      AskToGo();
      deadline_ = now + plan_.grace;
      break;
    case Phase::kForce:
      ForceGroups();
      deadline_ = now + kForceLimit;
      break;
    case Phase::kSettle:
      deadline_ = now + kSettle;
      break;
    case Phase::kKill:
      kill_loop_.Start(now);
      killed_ = true;
      break;
    case Phase::kHangUp:
      deadline_ = now + kHangUpLimit;
      break;
    case Phase::kNone:
    case Phase::kReport:
      break;
  }
}

// SIGCONT follows SIGHUP, because a stopped program must run to be able to end.
void Ending::AskToGo() {
  foreground_ = device_->ForegroundGroup();
  for (int number : {SIGHUP, SIGCONT, SIGTERM}) {
    if (foreground_ > 0) kill(-foreground_, number);
    if (leader_group_ > 0 && leader_group_ != foreground_) {
      SignalGroup(leader_group_, number);
    }
  }
}

// The leader is killed by its pid, which cannot be reused until it is reaped.
// The groups are killed member by member, because a group number may be reused.
void Ending::ForceGroups() {
  if (leader_ > 0) kill(leader_, SIGKILL);
  for (pid_t group : {leader_group_, foreground_}) {
    if (group > 0) SignalGroup(group, SIGKILL);
  }
}

// Returns true while the leader, or a process of its group or of the foreground
// group, lives. Background groups do not count, because a terminal emulator
// leaves them running when it closes, and so does a polite end.
bool Ending::GroupsLive(pid_t leader) const {
  return leader > 0 || GroupLives(leader_group_) || GroupLives(foreground_);
}

// Skips phases in which there is nothing to wait for, so a session whose
// program dies at once is closed in milliseconds.
void Ending::Step(pid_t leader, Time now) {
  leader_ = leader;
  next_ = now;
  while (next_ <= now && phase_ != Phase::kNone && phase_ != Phase::kReport) {
    if (!StepOnce(now)) return;
  }
}

// Returns false if nothing more can be done in this call of Step.
bool Ending::StepOnce(Time now) {
  if (phase_ == Phase::kKill) {
    auto result = kill_loop_.Step(now);
    gave_up_ = result == KillLoop::Result::kGaveUp;
    next_ = kill_loop_.next();
    // Do one round in each call: dead children must be reaped in between.
    if (result == KillLoop::Result::kAgain) return false;
    Enter(gave_up_ ? Phase::kHangUp : Phase::kReport, now);
    next_ = now;
    return !gave_up_;
  }
  bool whole_tree = phase_ == Phase::kSettle || phase_ == Phase::kHangUp;
  // An unreaped leader counts as alive, because its exit must be published
  // before the end is reported.
  bool live = whole_tree ? !TreeIsEmpty() : GroupsLive(leader_);
  if (live && now < deadline_) {
    next_ = std::min(deadline_, now + poll_);
    poll_ = std::min<Duration>(2 * poll_, kLastLook);
    return false;
  }
  switch (phase_) {
    case Phase::kEof:
      Enter(Phase::kPolite, now);
      break;
    case Phase::kPolite:
      if (live) {
        Enter(Phase::kForce, now);
        break;
      }
      [[fallthrough]];
    case Phase::kForce:
      Enter(plan_.kill_survivors ? Phase::kKill : Phase::kSettle, now);
      break;
    default:
      Enter(Phase::kReport, now);
      break;
  }
  return true;
}

}  // namespace glasstty::holder

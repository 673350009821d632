// The steps by which a session is ended: politely, then by force, then
// reported.
//
//   kEof      the end-of-file character was typed (only if asked)
//   kPolite   SIGHUP, SIGCONT and SIGTERM went to the foreground group and to
//             the leader's; waits at most the grace until both are gone
//   kForce    SIGKILL to the leader and both groups
//   kSettle   the leader and both groups are gone, or a second has passed.
//             Others get a moment, so that a process that is about to end is
//             not reported as a survivor
//   kKill     the kill loop ends everything (only if asked)
//   kHangUp   some processes cannot be killed: the caller closes the terminal,
//             and the kernel then hangs up the foreground group, whichever user
//             owns it. Nothing else reaches processes that sudo started
//   kReport   the end: the caller reports the processes that are left and calls
//             Reported
//
// Borrows the device. Sends signals only; the caller reaps, reports and calls
// Step on every SIGCHLD and at next(). Holder thread only.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/clock.h"
#include "holder/device.h"
#include "holder/kill_loop.h"

namespace glasstty::holder {

class Ending {
 public:
  explicit Ending(Device* device) : device_(device) {}

  // With `wait_for_eof`, up to half of the grace passes, in addition, before
  // the signals. With `kill_survivors`, the whole tree is killed at the end.
  struct Plan {
    Duration grace{};
    bool wait_for_eof = false;
    bool kill_survivors = false;
  };
  // Starts a polite end, which replaces one that is going on. `leader` is the
  // pid of the program, 0 if it has been reaped.
  void Close(const Plan& plan, pid_t leader, Time now);
  void Kill(Time now);

  // Takes all steps that are possible at this moment.
  void Step(pid_t leader, Time now);
  // Returns when to call Step; Time::max() unless running().
  Time next() const { return next_; }

  bool running() const { return phase_ != Phase::kNone; }
  bool ReportIsDue() const { return phase_ == Phase::kReport; }
  // True if everything was to be killed, immediately or in the end.
  bool killed() const { return killed_; }
  // True if the kill loop gave up, so the terminal must be closed.
  bool gave_up() const { return gave_up_; }
  void Reported();

 private:
  enum class Phase {
    kNone,
    kEof,
    kPolite,
    kForce,
    kSettle,
    kKill,
    kHangUp,
    kReport
  };

  void Enter(Phase phase, Time now);
  void AskToGo();
  void ForceGroups();
  bool GroupsLive(pid_t leader) const;
  bool StepOnce(Time now);

  Device* const device_;  // borrowed
  Phase phase_ = Phase::kNone;
  Plan plan_;
  KillLoop kill_loop_;
  pid_t leader_ = 0;  // 0 once reaped
  pid_t leader_group_ = 0;
  pid_t foreground_ = 0;  // the foreground group at the time of the signals
  Time deadline_{};       // the end of the phase
  Time next_ = Time::max();
  Duration poll_{};
  bool killed_ = false;
  bool gave_up_ = false;
};

}  // namespace glasstty::holder

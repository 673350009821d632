// Ends a session in steps, first politely, then by force.
//
//   kEof      the caller has typed the end-of-file character, and the program
//             gets time to end (only with Plan::wait_for_eof)
//   kPolite   the foreground group and the leader's group have got SIGHUP,
//             SIGCONT and SIGTERM, and get time to end (Plan::grace)
//   kForce    the leader and both groups have got SIGKILL
//   kSettle   the leader and both groups are gone, or a second has passed.
//             The other processes get a moment, so that those that are about to
//             end are not reported as survivors
//   kKill     the kill loop ends the whole tree (only with Kill, or with
//             Plan::kill_survivors)
//   kHangUp   the kill loop gave up: the caller closes the terminal, and the
//             kernel then hangs up the foreground group, whichever user owns
//             it. Nothing else reaches processes that sudo started
//   kReport   the caller reports the processes that are left, and calls
//             Reported
//
// Borrows the device. Only sends signals: the caller reaps processes, reports,
// and calls Step at every SIGCHLD and at next(). Holder thread only.
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

  // `grace` is the maximum time from SIGHUP to SIGKILL. With `wait_for_eof`,
  // the program first gets up to half of `grace` to end before SIGHUP. With
  // `kill_survivors`, the whole tree is killed at the end.
  struct Plan {
    Duration grace{};
    bool wait_for_eof = false;
    bool kill_survivors = false;
  };
  // Starts a polite end, which replaces an end in progress. `leader` is the pid
  // of the program, or 0 if the program has ended.
  void Close(const Plan& plan, pid_t leader, Time now);
  void Kill(Time now);

  // Takes all steps that are possible now.
  void Step(pid_t leader, Time now);
  // The time at which to call Step; Time::max() unless running().
  Time next() const { return next_; }

  bool running() const { return phase_ != Phase::kNone; }
  bool ReportIsDue() const { return phase_ == Phase::kReport; }
  // True if the kill loop has ever been started.
  bool killed() const { return killed_; }
  // True if the last kill loop gave up, so the terminal must be closed.
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
  pid_t leader_ = 0;  // 0 once it has ended
  pid_t leader_group_ = 0;
  pid_t foreground_ = 0;  // the foreground group at the time of the signals
  Time deadline_{};       // the latest end of the phase
  Time next_ = Time::max();
  Duration poll_{};
  bool killed_ = false;
  bool gave_up_ = false;
};

}  // namespace glasstty::holder

// The life of a session: how far its program and its holder have come.
//
// Keeps what the holder and the files have reported, but depends on neither.
// These facts may be ahead of the screen: Verdict::exited() also waits until
// all output before the exit has been fed. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "session/process_info.h"

namespace glasstty::session {

class Life {
 public:
  enum class Phase {
    kStarting,  // the program has not been started yet, or cannot be
    kRunning,
    kExited,  // the program's status is known; other processes may still run
    kEnded,   // the holder is gone, too
    kLost,    // the holder is gone, and nobody knows the status
  };
  // The end of the program: its status, and where the logs ended at that time.
  struct Exit {
    uint64_t offset;
    uint64_t errors_offset;
    int status;  // as waitpid(2) gives it
  };

  // `met` is the time at which this server created or adopted the session.
  explicit Life(Time met) : met_(met) {}

  Phase phase() const { return phase_; }
  // Null while the status is not known.
  const Exit* exit() const { return exit_ ? &*exit_ : nullptr; }
  // REQUIRES: exit().
  int exit_status() const { return exit_->status; }
  bool started() const { return leader_pid_ > 0; }
  int leader_pid() const { return leader_pid_; }
  // When this server created or adopted the session.
  Time started_at() const { return met_; }
  // Returns why the program could not be started; OK if it was started, or if
  // this is not known yet.
  const absl::Status& start_error() const { return start_error_; }
  // Returns true once the holder is gone or has closed our connection; see
  // end_told().
  bool ended() const { return phase_ >= Phase::kEnded; }

  // Somebody has asked for the session to be closed.
  bool close_asked() const { return close_asked_; }
  // True if the holder is gone or has reported what the last close has left.
  bool close_reported() const { return report_ != Report::kAwaited; }
  const std::vector<ProcessInfo>& survivors() const { return survivors_; }
  // True if the holder reported, before it ended, that no process was left.
  // Otherwise, processes may still run after the holder's end.
  bool end_told() const { return report_ == Report::kEmpty; }

  // The session reports events by these calls.
  void Started(int leader_pid);
  void CannotStart(absl::Status why) { start_error_ = std::move(why); }
  void Exited(const Exit& exit);
  void HolderGone();
  void CloseAsked();
  void CloseReported(std::vector<ProcessInfo> survivors);
  void EndTold();

 private:
  // The report of what the last close has left.
  enum class Report {
    kAwaited,
    kLeft,   // survivors_ are left, or the holder went without a report
    kEmpty,  // no process is left, as the holder said before it ended
  };

  const Time met_;
  Phase phase_ = Phase::kStarting;
  int leader_pid_ = 0;
  absl::Status start_error_;
  std::optional<Exit> exit_;
  bool close_asked_ = false;
  Report report_ = Report::kAwaited;
  std::vector<ProcessInfo> survivors_;
};

}  // namespace glasstty::session

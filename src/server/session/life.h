// The life of a session: how far its program and its holder have come, and
// whether there is a connection to the machine on which they run.
//
// Owns what the holder and the files have reported about this, but depends on
// neither. These facts may be ahead of the screen: Verdict::exited() also waits
// until the last byte has been fed. Loop thread only.
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
    kExited,  // its status is known; other processes may still run
    kEnded,   // the holder is gone too
    kLost,    // the holder is gone, and nobody knows the status
  };
  // The connection to the machine on which the program runs.
  enum class Connection {
    kHere,
    kAway,     // lost; a relay tries to restore it
    kCutOff,   // lost, and there is no relay either
    kGivenUp,  // lost for good
  };
  // The ends of the logs when the program ended.
  struct Exit {
    uint64_t offset;
    uint64_t errors_offset;
    int status;  // as waitpid(2) gives it
  };
  // The last period without a connection, once it is over.
  struct Absence {
    uint64_t number = 0;  // 0: there was none yet
    Duration lasted{};
    uint64_t printed = 0;  // bytes
  };

  // `met` is the time at which this server created or adopted the session.
  explicit Life(Time met) : met_(met) {}

  Phase phase() const { return phase_; }
  Connection connection() const { return connection_; }
  // Null while the status is not known.
  const Exit* exit() const { return exit_ ? &*exit_ : nullptr; }
  // REQUIRES: exit().
  int exit_status() const { return exit_->status; }
  bool started() const { return leader_pid_ > 0; }
  int leader_pid() const { return leader_pid_; }
  Time started_at() const { return met_; }
  // Why the program could not be started; OK if it was, or if that is not known
  // yet.
  const absl::Status& start_error() const { return start_error_; }
  // The holder is gone or has closed our connection; see end_told().
  bool ended() const { return phase_ >= Phase::kEnded; }

  // The time at which the connection was lost; nullopt: there is one, or none
  // is needed any more.
  std::optional<Time> away_since() const;
  // The time since which no relay has had the session; nullopt: a relay has it.
  std::optional<Time> cut_off_since() const;
  const Absence& absence() const { return absence_; }

  // Somebody has asked for the session to be closed.
  bool close_asked() const { return close_asked_; }
  // The holder has reported which processes are left after the last close.
  bool close_reported() const { return close_reported_; }
  const std::vector<ProcessInfo>& survivors() const { return survivors_; }
  // Before it ended, the holder reported that nothing was left. Without this
  // report, the end of the holder does not prove that anything else has ended.
  bool end_told() const { return end_told_; }

  // The session reports events by these calls.
  void Started(int leader_pid);
  void CannotStart(absl::Status why) { start_error_ = std::move(why); }
  void Exited(const Exit& exit);
  void HolderGone();
  void CloseAsked();
  void CloseReported(std::vector<ProcessInfo> survivors);
  void EndTold();
  void WentAway(Time since);
  // The connection is back; `printed` bytes wait to be fetched.
  void CameBack(Time now, uint64_t printed);
  // The relay is gone. Returns true if no other relay has had the session since
  // the last call.
  bool CutOff(Time now);
  void GiveUp() { connection_ = Connection::kGivenUp; }
  // A relay, or the holder, has greeted us.
  void Greeted();

 private:
  const Time met_;
  Phase phase_ = Phase::kStarting;
  int leader_pid_ = 0;
  absl::Status start_error_;
  std::optional<Exit> exit_;
  Connection connection_ = Connection::kHere;
  Time away_since_{};
  Time cut_off_since_{};
  Absence absence_;
  bool close_asked_ = false;
  bool close_reported_ = false;
  bool end_told_ = false;
  std::vector<ProcessInfo> survivors_;
};

}  // namespace glasstty::session

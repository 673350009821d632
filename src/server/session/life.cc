#include "session/life.h"

namespace glasstty::session {

void Life::Started(int leader_pid) {
  leader_pid_ = leader_pid;
  if (phase_ == Phase::kStarting) phase_ = Phase::kRunning;
}

// The holder greets each connection with the exit and the current end of
// stderr, where other processes may have printed since.
void Life::Exited(const Exit& exit) {
  if (!exit_) exit_ = exit;
  phase_ = ended() ? Phase::kEnded : Phase::kExited;
}

// No report can come any more, so waits for one end, too.
void Life::HolderGone() {
  phase_ = exit_ ? Phase::kEnded : Phase::kLost;
  if (report_ == Report::kAwaited) report_ = Report::kLeft;
}

// For a session that has ended, no report will come.
void Life::CloseAsked() {
  close_asked_ = true;
  if (!ended() && report_ == Report::kLeft) report_ = Report::kAwaited;
}

void Life::CloseReported(std::vector<ProcessInfo> survivors) {
  survivors_ = std::move(survivors);
  if (report_ == Report::kAwaited) report_ = Report::kLeft;
}

void Life::EndTold() {
  report_ = Report::kEmpty;
  survivors_.clear();
}

}  // namespace glasstty::session

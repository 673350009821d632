#include "session/life.h"

namespace glasstty::session {

std::optional<Time> Life::away_since() const {
  bool is_away =
      connection_ == Connection::kAway || connection_ == Connection::kCutOff;
  return is_away ? std::optional(away_since_) : std::nullopt;
}

std::optional<Time> Life::cut_off_since() const {
  bool is_cut_off = connection_ >= Connection::kCutOff;
  return is_cut_off ? std::optional(cut_off_since_) : std::nullopt;
}

void Life::Started(int leader_pid) {
  leader_pid_ = leader_pid;
  if (phase_ == Phase::kStarting) phase_ = Phase::kRunning;
}

void Life::Exited(const Exit& exit) {
  exit_ = exit;
  phase_ = ended() ? Phase::kEnded : Phase::kExited;
}

// No holder is left that could send a report, so waits for one end too.
void Life::HolderGone() {
  phase_ = exit_ ? Phase::kEnded : Phase::kLost;
  close_reported_ = true;
}

// For a session that has ended, no report will come.
void Life::CloseAsked() {
  close_asked_ = true;
  close_reported_ = ended();
}

void Life::CloseReported(std::vector<ProcessInfo> survivors) {
  survivors_ = std::move(survivors);
  close_reported_ = true;
}

void Life::EndTold() {
  end_told_ = true;
  CloseReported({});
}

void Life::WentAway(Time since) {
  away_since_ = since;
  bool has_relay = !cut_off_since();
  connection_ = has_relay ? Connection::kAway : Connection::kCutOff;
}

void Life::CameBack(Time now, uint64_t printed) {
  if (!away_since()) return;
  absence_ = {absence_.number + 1, now - away_since_, printed};
  connection_ = Connection::kHere;
}

bool Life::CutOff(Time now) {
  bool again = cut_off_since().has_value();
  if (!again) cut_off_since_ = now;
  if (!away_since()) away_since_ = now;
  connection_ = Connection::kCutOff;
  return again;
}

// The relay itself reports when its connection is back.
void Life::Greeted() {
  if (connection_ == Connection::kCutOff) connection_ = Connection::kAway;
  if (connection_ == Connection::kGivenUp) connection_ = Connection::kHere;
}

}  // namespace glasstty::session

// Starts sessions: determines the surroundings of their programs, creates their
// directories, and launches their holders.
//
// Owns the holder's executable. Borrows the loop, the settings and the list, to
// which it adds the sessions; all must outlive this object. Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "session/place_link.h"
#include "session/session_list.h"
#include "wire/launch.h"

namespace glasstty::session {

// The settings for sessions, from flags and the environment (cli/settings.h).
struct SessionSettings {
  int max_sessions = 64;
  uint64_t grace_ms = 600'000;   // for how long programs outlive a dead server
  uint64_t log_cap = 64u << 20;  // bytes of raw log kept per session
  // Bytes that all sessions may take on disk.
  uint64_t state_cap = uint64_t{2} << 30;
  // Exited sessions stay readable for this long.
  std::chrono::minutes exited_for{30};
  // A session that is not kept is closed if, for this long, it prints nothing
  // and nobody uses it; zero: never.
  Duration idle_limit{};
  // The variables that no program on this machine gets; '*' matches any text.
  std::vector<std::string> secrets;
  // True if shells may write their history into the user's files.
  bool shares_history = false;
};

class SessionStarter {
 public:
  SessionStarter(Loop* loop, const SessionSettings* settings,
                 SessionList* sessions)
      : loop_(loop), settings_(settings), sessions_(sessions) {}

  // Opens the holder's executable. Error: glasstty is not fully installed.
  absl::Status OpenExecutable();
  int executable() const { return holder_.get(); }
  const std::string& executable_path() const { return holder_path_; }
  const SessionSettings& settings() const { return *settings_; }
  // Returns for how long a program outlives a dead server, in milliseconds.
  uint64_t GraceOf(bool keep) const {
    return keep ? wire::kKeepForever : settings_->grace_ms;
  }

  // Starts a session and adds it to the list. SessionList::ChooseName chooses
  // the name from `wanted` and `usual`. `where` is a connected place on another
  // machine; null: this one. REQUIRES: the executable and the list are open.
  absl::StatusOr<SessionRef> Start(const std::string& wanted,
                                   const std::string& usual,
                                   record::ProgramSpec program,
                                   PlaceLink* where);

 private:
  absl::StatusOr<UniqueFd> Launch(const record::SessionOrigin& origin,
                                  const wire::LaunchSpec& spec, int directory,
                                  PlaceLink* where);

  // Borrowed.
  Loop* const loop_;
  const SessionSettings* const settings_;
  SessionList* const sessions_;
  // Opened once, so that an upgrade on disk cannot mix versions.
  UniqueFd holder_;
  std::string holder_path_;
};

}  // namespace glasstty::session

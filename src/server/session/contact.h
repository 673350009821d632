// The state of the connection to a program that runs on another machine.
//
// Keeps what the relay has reported, and whether there is a relay. For a
// program on this machine, the connection stays kHere. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace glasstty::session {

class Contact {
 public:
  enum class Connection {
    kHere,     // there is a connection, or none is needed
    kAway,     // lost; a relay tries to restore it
    kCutOff,   // lost, and there is no relay that could restore it
    kGivenUp,  // lost, and no longer waited for
  };
  // The last period without a connection, once it is over.
  struct Absence {
    uint64_t number = 0;  // 0: there was none yet
    Duration lasted{};
    uint64_t printed = 0;  // bytes that waited to be fetched when it ended
  };

  Connection connection() const { return connection_; }
  // Returns when the connection was lost; nullopt: not lost, or given up.
  std::optional<Time> away_since() const;
  // Returns when the relay was lost; nullopt if a relay has the session, or if
  // none is needed.
  std::optional<Time> cut_off_since() const;
  const Absence& absence() const { return absence_; }

  // The session reports events by these calls.
  void WentAway(Time since);
  // The connection is back, and `printed` bytes wait to be fetched.
  void CameBack(Time now, uint64_t printed);
  // The relay is gone. Returns true if the session had been cut off before, and
  // no relay has had it since.
  bool CutOff(Time now);
  void GiveUp() { connection_ = Connection::kGivenUp; }
  // A relay, or the holder, has greeted us.
  void Greeted();

 private:
  Connection connection_ = Connection::kHere;
  Time away_since_{};
  Time cut_off_since_{};
  Absence absence_;
};

}  // namespace glasstty::session

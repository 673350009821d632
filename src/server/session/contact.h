// The contact to the machine on which a session's program runs, which may be
// another machine.
//
// Owns what the relay and its absence have told about this. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace glasstty::session {

class Contact {
 public:
  enum class Connection {
    kHere,
    kAway,     // lost; a relay tries to restore it
    kCutOff,   // lost, and there is no relay either
    kGivenUp,  // lost for good
  };
  // The last period without a connection, once it is over.
  struct Absence {
    uint64_t number = 0;  // 0: there was none yet
    Duration lasted{};
    uint64_t printed = 0;  // bytes
  };

  Connection connection() const { return connection_; }
  // The time at which the connection was lost; nullopt: there is one, or none
  // is needed any more.
  std::optional<Time> away_since() const;
  // The time since which no relay has had the session; nullopt: a relay has it.
  std::optional<Time> cut_off_since() const;
  const Absence& absence() const { return absence_; }

  // The session reports events by these calls.
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
  Connection connection_ = Connection::kHere;
  Time away_since_{};
  Time cut_off_since_{};
  Absence absence_;
};

}  // namespace glasstty::session

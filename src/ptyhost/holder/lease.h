// Records who has the keyboard: the session's server, or an observer, through
// which a person or a call of another server types.
//
// A value without descriptors or a clock of its own. Counts what observers
// typed during the whole session. Callers pass two times: `now` is
// CLOCK_MONOTONIC; `wall` is CLOCK_BOOTTIME, which goes on while the machine
// sleeps. Holder thread only.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "wire/packets.h"

namespace glasstty::holder {

class Lease {
 public:
  struct Turn {
    uint32_t observer = 0;
    pid_t pid = 0;
    std::string label;
    Duration idle{};    // the turn ends after this time without a key
    bool once = false;  // the turn lasts for one write
    bool keeps_size = false;
    bool for_call = false;  // a call of another server has the keyboard, not a
                            // person
    uint16_t rows = 0;      // the terminal's size when the turn begins
    uint16_t cols = 0;
  };

  // The observer that has the keyboard; 0 if no observer has it.
  uint32_t observer() const { return turn_.observer; }
  bool held() const { return turn_.observer != 0; }
  // True if the keyboard was taken for one write only.
  bool once() const { return turn_.once; }
  // True if a call of another server has the keyboard.
  bool for_call() const { return turn_.for_call; }
  // True if the size that the person sets is kept after the turn.
  bool keeps_size() const { return turn_.keeps_size; }

  // REQUIRES: !held().
  void Take(Turn turn, Time now, Time wall);
  // Does nothing unless held().
  void End(wire::LeaseEnd how);

  // Records that the observer has sent a packet.
  void Heard(Time now) { heard_ = now; }
  // Typed counts bytes that the observer typed; `ends` is true if the last one
  // ends a line. TypedSecret counts a secret once its line ends, without its
  // length; `ends` is true if any byte ends a line.
  void Typed(size_t bytes, bool ends, Time wall);
  void TypedSecret(bool ends, Time wall);

  // Returns why the turn must end now; kNone if it may go on, or if there is no
  // turn.
  wire::LeaseEnd IsOver(Time now, Time wall) const;
  // Returns the time, on the clock of `now`, at which to call IsOver again.
  Time next(Time now, Time wall) const;

  uint32_t serial() const { return info_.serial; }
  // All fields except `server_attached` are set.
  const wire::LeaseInfo& info() const { return info_; }

 private:
  Turn turn_;
  wire::LeaseInfo info_;
  Time heard_{};
  Time typed_{};  // a `wall` time
};

}  // namespace glasstty::holder

// The person at the keyboard of a session, as reported by the holder
// (wire::Lease), and how much people have typed so far.
//
// A call of another server can have the keyboard, too, but does not count as a
// person: calls of the session's server simply type after it.
//
// A value that the session updates from packets. Loop thread only.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "terminal/snapshot.h"
#include "wire/packets.h"

namespace glasstty::session {

// Sums up what people did in the turns at the keyboard that have ended. These
// are totals, so the difference of two values shows what is new.
struct Visits {
  uint64_t turns = 0;
  Duration time{};
  uint64_t keys = 0;
  uint64_t secrets = 0;
  // The turns of calls of other servers, which `turns` does not include.
  uint64_t calls = 0;
  // The terminal's size before the last turn, and how that turn ended.
  terminal::Size size_before;
  wire::LeaseEnd how = wire::LeaseEnd::kNone;
};

class Person {
 public:
  // The holder has greeted us. If the keyboard has changed hands before
  // (`lease_serial` > 0), the holder sends a Lease, too. Turns until that
  // Lease do not count.
  void Met(uint32_t lease_serial) {
    if (lease_serial == 0) is_base_known_ = true;
  }
  // Takes over the content of a wire::Lease; `flags` are its LeaseFlags.
  void Take(const wire::LeaseInfo& info, uint64_t flags, Time now);
  // The connection to the holder is gone.
  void Lost() { call_ = Call::kNone; }
  // A call of this server gives the keyboard back. The holder has not confirmed
  // this yet, but refuses whatever is typed from now on.
  void GiveBack() {
    if (call_ == Call::kOwn) call_ = Call::kOwnThatEnds;
  }

  // True once the holder has reported whether anybody has the keyboard.
  bool is_known() const { return is_base_known_; }
  // True while a person has the keyboard.
  bool here() const { return here_; }
  // True while a call of this server has the keyboard of another's session.
  bool is_own_call() const { return call_ == Call::kOwn; }
  // True while a call of another server has the keyboard.
  bool is_call() const { return call_ == Call::kOfAnother; }
  // The program in which the person types: "attach", "view". REQUIRES: here().
  const std::string& via() const { return via_; }
  Time since() const { return since_; }
  // The number of turns of people that have begun. If it rises while a call
  // types its planned steps, the call must stop, because the screen may have
  // changed.
  uint64_t begun() const { return begun_; }
  const Visits& visits() const { return visits_; }
  // The number of writes and secrets in all turns that ended, whoever typed.
  uint64_t typed() const { return typed_; }

 private:
  enum class Call { kNone, kOwn, kOwnThatEnds, kOfAnother };

  void EndCall(const wire::LeaseInfo& info);

  bool is_base_known_ = false;
  bool here_ = false;
  std::string via_;
  Time since_{};
  uint32_t serial_ = 0;
  uint64_t begun_ = 0;
  Visits visits_;
  uint64_t typed_ = 0;
  Call call_ = Call::kNone;
  // The holder's totals when we met it, plus what calls have typed since.
  uint32_t first_keys_ = 0;
  uint32_t first_secrets_ = 0;
};

}  // namespace glasstty::session

// Decides who types: the server, or the one person who has taken the keyboard,
// never both. A call of another server takes it as a person does, but only
// while no call of the session's server types.
//
// Owns the lease. Passes writes to the program's input, or refuses them.
// Without a server the grace runs, unless a person has the keyboard. Borrows
// the program, its peers and the grace. The holder's thread.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "holder/grace.h"
#include "holder/lease.h"
#include "holder/peers.h"
#include "holder/program.h"
#include "wire/messages.h"

namespace glasstty::holder {

class Keyboard {
 public:
  Keyboard(Program* program, Peers* peers, Grace* grace)
      : program_(program), peers_(peers), grace_(grace) {}

  // Types for the server, or for an observer, or refuses to.
  void Type(const wire::Write& write, Time now);
  void Type(const wire::Write& write, Observer* observer, Time now);

  // Gives the keyboard to an observer, if nobody has it or it is taken over. An
  // observer that takes it for a call may have to wait.
  void Give(const wire::Take& take, Observer* observer, Time now);
  // The server lends it to an observer that waits for it.
  void Lend(Time now);
  // Asks the server to lend it, if an observer waits and nobody has it.
  void AskServer(Time now);
  // Ends the turn of whoever has the keyboard.
  void End(wire::LeaseEnd how, Time now);
  bool held() const { return lease_.held(); }
  bool IsHeldBy(const Observer* observer) const {
    return lease_.observer() == observer->id;
  }
  // The observer said something.
  void Heard(const Observer* observer, Time now);

  // The server has gone.
  void LoseServer(Time now);
  // Starts the grace, unless it runs or somebody is a reason to go on.
  void StartGrace(Time now);

  // Tells the server and all observers who has the keyboard, or one of them.
  void Tell();
  void Tell(Observer* observer);
  uint32_t serial() const { return lease_.serial(); }

  // Ends a turn that has lasted too long.
  void RunTimers(Time now);
  Time next() const;

  // Returns when the server last typed, since boot.
  uint64_t input_ticks() const { return input_ticks_; }

 private:
  void HandTo(Observer* observer, const wire::Take& take, Time now);
  Observer* FindWaiting() const;
  void EndTurn(wire::LeaseEnd how);
  void RestoreSize();
  void CountTyped(const wire::Write& write);
  void NoteTyped(const wire::Write& write, bool is_person, Time now);
  void Send(Connection* to, bool yours);

  Program* const program_;  // borrowed
  Peers* const peers_;      // borrowed
  Grace* const grace_;      // borrowed
  Lease lease_;
  bool refuses_rest_ = false;  // the beginning of this write was refused
  uint64_t input_ticks_ = 0;
  // When somebody typed last, and whether it was a person.
  std::optional<Time> typed_;
  bool person_typed_ = false;
};

}  // namespace glasstty::holder

// Decides who types: the server, or the observer that has taken the keyboard.
// Only the server's replies to the program always pass. A person may take the
// keyboard at any time, a call of another server only while no call of the
// session's server types.
//
// Owns the Lease (lease.h). Passes writes to the program's input, or refuses
// them. Starts the grace (grace.h) when there is no server, unless an observer
// has the keyboard. Borrows the program, its peers and the grace. Holder thread
// only.
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

  // Types for the server, or for an observer, or refuses the write.
  void Type(const wire::Write& write, Time now);
  void Type(const wire::Write& write, Observer* observer, Time now);

  // Gives the keyboard to an observer, if it is free or may be taken over. An
  // observer that wants it for a call may have to wait.
  void Give(const wire::Take& take, Observer* observer, Time now);
  // Handles the server's Lend: gives the keyboard to the first observer that
  // waits.
  void Lend(Time now);
  // If an observer waits for the keyboard and none has it, asks the server to
  // lend it. Without a server, gives it to that observer.
  void AskServer(Time now);
  // Ends the turn of the observer that has the keyboard.
  void End(wire::LeaseEnd how, Time now);
  bool held() const { return lease_.held(); }
  bool IsHeldBy(const Observer* observer) const {
    return lease_.observer() == observer->id;
  }
  // Records that the observer has sent a packet.
  void Heard(const Observer* observer, Time now);

  // Handles the end of the server's connection.
  void LoseServer(Time now);
  // Starts the grace, unless it runs already, a server is connected, or an
  // observer has the keyboard.
  void StartGrace(Time now);

  // Reports who has the keyboard, to the server and all observers or to one
  // observer.
  void Tell();
  void Tell(Observer* observer);
  uint32_t serial() const { return lease_.serial(); }

  // Ends the turn at the keyboard if it is over (Lease::IsOver).
  void RunTimers(Time now);
  Time next() const;

  // The time, in clock ticks since boot, at which the server or a call of
  // another server last sent input (replies do not count).
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
  // True if the beginning of the server's current write was refused or dropped.
  bool refuses_rest_ = false;
  uint64_t input_ticks_ = 0;
  // The time of the last typed input, and whether a person typed it.
  std::optional<Time> typed_;
  bool person_typed_ = false;
};

}  // namespace glasstty::holder

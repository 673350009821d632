// Handles the requests of observers to the holder.
//
// An observer that connects, disconnects, falls behind or sends invalid
// requests has no effect on the program and the server. Only these requests act
// on the program: Take, Give, Write and Resize, by which an observer uses the
// keyboard, and Signal and Close, which a server sends to a session of another
// server. Borrows all that it acts on. Holder thread only.
#pragma once

#include "base/clock.h"
#include "holder/keyboard.h"
#include "holder/peers.h"
#include "holder/program.h"
#include "holder/session_end.h"
#include "wire/messages.h"

namespace glasstty::holder {

class ObserverRequests {
 public:
  ObserverRequests(Program* program, Peers* peers, Keyboard* keyboard,
                   SessionEnd* end)
      : program_(program), peers_(peers), keyboard_(keyboard), end_(end) {}

  // Handles a bounded number of one observer's requests; poll(2) reports the
  // rest again. Removes the observer if it has disconnected.
  void Read(Observer* observer, Time now);
  // Removes observers that do not read, or have not introduced themselves in
  // time.
  void RunTimers(Time now);
  Time next() const { return peers_->observers()->next(); }

 private:
  void Handle(Observer* observer, const wire::Packet& packet, Time now);
  // The source file has a specialization for each message of FromObserver.
  template <typename Message>
  void On(const Message&, Observer* observer, Time now);
  void Lose(const Observer* observer, Time now);

  Program* const program_;    // borrowed
  Peers* const peers_;        // borrowed
  Keyboard* const keyboard_;  // borrowed
  SessionEnd* const end_;     // borrowed
};

}  // namespace glasstty::holder

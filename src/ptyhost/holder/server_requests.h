// Handles the requests of a server to the holder.
//
// Only a Write can be refused. No other request fails, because a server may be
// older or newer than its holder, and a request may arrive too late. Numbers
// out of range and unknown types are ignored, and each answer reports the
// current state. Borrows all that it acts on. Holder thread only.
#pragma once

#include <algorithm>

#include "base/clock.h"
#include "holder/grace.h"
#include "holder/keyboard.h"
#include "holder/peers.h"
#include "holder/program.h"
#include "holder/session_end.h"
#include "wire/messages.h"

namespace glasstty::holder {

class ServerRequests {
 public:
  ServerRequests(Program* program, Peers* peers, Keyboard* keyboard,
                 SessionEnd* end, Grace* grace)
      : program_(program),
        peers_(peers),
        keyboard_(keyboard),
        end_(end),
        grace_(grace) {}

  // Handles a bounded number of requests; poll(2) reports the rest again.
  void Read();
  // Accepts a waiting connection. If another server is connected, leaves the
  // new connection waiting for a while first.
  void Accept(Time now);
  // False while a connection is left waiting. Accept need not be called then.
  bool accepts() const { return accept_at_ == Time::max(); }
  // Drops a server that has connected but not sent Hello in time, and accepts a
  // connection that has waited.
  void RunTimers(Time now);
  Time next() const { return std::min(hello_by_, accept_at_); }

 private:
  // The source file has a specialization for each message of FromServer.
  template <typename Message>
  void On(const Message&, Time now);
  void Lose(Time now);

  Program* const program_;    // borrowed
  Peers* const peers_;        // borrowed
  Keyboard* const keyboard_;  // borrowed
  SessionEnd* const end_;     // borrowed
  Grace* const grace_;        // borrowed
  Time hello_by_ = Time::max();
  Time accept_at_ = Time::max();  // when a waiting connection is accepted even
                                  // though there is a server
};

}  // namespace glasstty::holder

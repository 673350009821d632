// Reaps dead processes, ends the session on request, and informs the peers when
// no process is left.
//
// Publishes the program's exit before the program is reaped. The session is
// over when its tree is empty and its output saved. The holder then waits, for
// a limited time, until the server has got the report. Owns the Ending
// (ending.h), which takes the steps. Borrows the rest. Holder thread only.
#pragma once

#include <optional>

#include "base/clock.h"
#include "holder/ending.h"
#include "holder/grace.h"
#include "holder/input.h"
#include "holder/keyboard.h"
#include "holder/peers.h"
#include "holder/program.h"
#include "wire/messages.h"

namespace glasstty::holder {

class SessionEnd {
 public:
  SessionEnd(Program* program, Peers* peers, Keyboard* keyboard,
             const Grace* grace);

  // Ends the session as `close` requests. The peer `asker` gets a report of the
  // processes that are left.
  void Close(const wire::Close& close, Input::Writer asker, Time now);
  void Kill(Time now);
  // Sends a signal as `signal` requests.
  void Signal(const wire::Signal& signal) const;
  // Cancels a report that the server has requested, because the server is gone.
  void ForgetReport() {
    if (asker_ == Input::kServer) asker_.reset();
  }
  // Ends the session without a request, because the grace is over or a signal
  // (SIGTERM, SIGHUP, SIGINT) has arrived.
  void CloseByItself(Time now);
  // Ends the session of a program that could not be started, once the peers are
  // informed.
  void FailToStart(Time now);

  // Reaps all children that have died.
  void Reap();
  // Continues a close or kill that is in progress.
  void Step(Time now);
  void RunTimers(Time now);
  Time next() const;

  // Must be called after each turn. When the session is over, informs the
  // peers. From then on, returns true as soon as the server has got the report,
  // no server is connected, the grace is over, or ten seconds have passed.
  bool IsDone(Time now);

 private:
  enum class Phase {
    kOpen,
    kTelling,  // no process is left, but the report may not be sent yet
  };

  bool IsOver(Time now);
  void TellEnd();
  void SendReport();

  Program* const program_;    // borrowed
  Peers* const peers_;        // borrowed
  Keyboard* const keyboard_;  // borrowed
  const Grace* const grace_;  // borrowed
  Ending ending_;
  Phase phase_ = Phase::kOpen;
  std::optional<Input::Writer> asker_;  // the peer that wants the report
  Time give_up_at_ = Time::max();       // when to stop waiting for a server
                                        // that does not read
};

}  // namespace glasstty::holder

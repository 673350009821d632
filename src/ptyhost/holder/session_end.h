// The end of the session: reaps what dies, ends what is asked to end, and tells
// the peers when nothing is left.
//
// Publishes the program's exit before the program is reaped. The session is
// over when its tree is empty and its output saved; the holder then waits for
// its server to take the news, but not for ever. Owns the steps (ending.h).
// Borrows the rest. The holder's thread.
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

  // A peer, a writer of Input, asks for the end, and is sent a report.
  void Close(const wire::Close& close, Input::Writer asker, Time now);
  void Kill(Time now);
  // Sends a signal, which need not end anything.
  void Signal(const wire::Signal& signal) const;
  // The server has gone, so it does not want the report any more.
  void ForgetReport() {
    if (asker_ == Input::kServer) asker_.reset();
  }
  // Ends the session unasked: the grace is over, or the system shuts down.
  void CloseByItself(Time now);
  // The program could not be started, and only that is left to be reported.
  void FailToStart(Time now);

  // Reaps all children that have died.
  void Reap();
  // Continues a close or kill that is going on.
  void Step(Time now);
  void RunTimers(Time now);
  Time next() const;

  // Ends the session if it is over. Returns true when the server knows it, or
  // nobody is left to be told. Must be called after each turn.
  bool IsDone(Time now);

 private:
  enum class Phase {
    kOpen,
    kTelling,  // nothing is left, but the server has yet to accept the news
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
  Time give_up_at_ = Time::max();       // on a server that does not listen
};

}  // namespace glasstty::holder

// The process of one session: its program, the connections to the server and to
// observers, and its end.
//
// Owns all of these, and runs the loop: a plain poll() over the terminal, the
// server, the observers, the listening sockets and signals. Single-threaded;
// only Spawn blocks, until the program has been executed.
//
// Invariants:
//   1. The program's last byte is in the log before its exit is published
//      (event, file, packet, in this order), and the exit is published before
//      the program is reaped.
//   2. The holder lives as long as any process of its tree. Then it waits for a
//      limited time until the server has got the report of the end. Before that
//      report, it waits until the disk or a server has taken all output, unless
//      the grace is over or the tree was killed.
//   3. Without a server the holder continues to read the terminal, and ends the
//      session when the grace (grace.h) is over. The grace does not run while
//      an observer has the keyboard.
//   4. Apart from replies to the program, either the server types or one
//      observer does, never both (keyboard.h).
#pragma once

#include "base/clock.h"
#include "base/fd.h"
#include "base/poll_loop.h"
#include "holder/grace.h"
#include "holder/keyboard.h"
#include "holder/observer_requests.h"
#include "holder/peers.h"
#include "holder/program.h"
#include "holder/server_requests.h"
#include "holder/session_end.h"
#include "wire/launch.h"

namespace glasstty::holder {

class Holder {
 public:
  // The arguments that RunHolder (start.h) has prepared. `dir_fd` is borrowed.
  // `signals` is a signalfd(2) for SIGCHLD, and for SIGTERM, SIGHUP and SIGINT,
  // which end the session.
  struct Start {
    wire::LaunchSpec spec;
    int dir_fd = -1;
    UniqueFd start_dir;  // the launcher's working directory
    UniqueFd server;
    UniqueFd signals;
  };
  explicit Holder(Start start);

  // Starts the program and returns when the session is over.
  void Run();

 private:
  bool StartProgram();
  // Runs one turn of the loop: waits for events or the next timer, and handles
  // them.
  void Wait();
  void WatchProgram(bool* has_read);
  void WatchPeers();
  void ReadOutputs(bool hung_up);
  void WriteInput(Time now);
  void ReadSignals();
  void RunTimers(Time now);
  Time NextTimer();
  void Retry(Time now);

  const UniqueFd signals_;
  UniqueFd start_dir_;  // open until the program was started
  Grace grace_;
  Program program_;
  Peers peers_;
  Keyboard keyboard_{&program_, &peers_, &grace_};
  SessionEnd end_{&program_, &peers_, &keyboard_, &grace_};
  ServerRequests server_{&program_, &peers_, &keyboard_, &end_, &grace_};
  ObserverRequests observers_{&program_, &peers_, &keyboard_, &end_};
  PollLoop loop_;
  Time retry_at_ = Time::max();
};

}  // namespace glasstty::holder

// One session: its program, its terminal, its log, and the server it talks to.
//
// Owns all of them and runs the loop: a plain poll() over the terminal, the
// server, the listening socket and SIGCHLD. Handles the requests of wire.h.
// Parses nothing that the program prints. One thread; nothing blocks but the
// errno pipe in Spawn.
//
// Invariants
//   The program's last byte is in the log before its exit is published (file,
//   event, packet, in this order), and the exit is published before the
//   program is reaped.
//   The holder lives as long as anything of its tree lives, and no longer,
//   except to hand a full disk's bytes to a server.
//   With nobody attached it keeps reading; a timer (the grace) then
//   ends the session.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "holder/device.h"
#include "holder/ending.h"
#include "holder/event_writer.h"
#include "holder/input.h"
#include "holder/link.h"
#include "holder/output.h"
#include "holder/spawn.h"
#include "wire/launch.h"
#include "wire/packets.h"

namespace glasstty {

class Holder {
 public:
  // What main() has prepared. `dir_fd` is borrowed, `signals` reads SIGCHLD
  // and SIGTERM.
  struct Start {
    LaunchSpec spec;
    int dir_fd = -1;
    int start_dir = -1;  // the launcher's working directory
    UniqueFd server;
    UniqueFd signals;
  };
  explicit Holder(Start start);

  // Starts the program and returns when the session is over.
  void Run();

 private:
  // Program and exit (holder.cc).
  bool StartProgram();
  bool OpenDevice();
  void ReapChildren();
  void PublishExit();
  void SaveExit();
  void SendExit();
  void Finish();
  bool IsSaved();

  // The loop (holder.cc).
  void Wait();
  void RunTimers(Time now);
  Time NextTimer() const;
  void Retry(Time now);
  void ReadSignals();
  void AcceptServer(Time now);
  void ReadOutputs(bool hung_up);
  void WriteInput(Time now);
  void EndByItself(Time now);
  void StepEnding(Time now);

  // The server (requests.cc).
  void ReadRequests();
  void Handle(const Packet& packet, Time now);
  void Greet();
  void LoseServer(Time now);
  void TakeWrite(const Packet& packet, Time now);
  void Resize(uint64_t rows, uint64_t cols);
  void Signal(uint64_t number, uint64_t target);
  void Probe(uint64_t serial);
  void Close(uint64_t grace_ms, uint64_t flags, Time now);
  void SendTree(uint64_t serial, uint64_t flags = 0);
  void SendRefused(uint64_t serial, WriteRefusal reason, uint64_t taken);
  void SendDropped();
  void SendReceipt(Time now);
  void SetAcked(uint64_t out, uint64_t err);
  // Tells the server where the log ends, once until it acknowledges.
  void Ring();
  void SendInline();
  HolderInfo Info() const;

  bool DrainOutputs();
  bool IsSettled(int* unread);
  Output& out() { return outputs_[0]; }
  const Output& out() const { return outputs_[0]; }

  // constant, but for what only the start needs
  LaunchSpec spec_;
  const int dir_fd_;     // borrowed
  const int start_dir_;  // borrowed
  // owned
  UniqueFd signals_;
  Link link_;
  Device device_;
  const MonotonicClock clock_;
  EventWriter events_;
  InputLog input_log_;
  std::array<Output, 2> outputs_;  // the second for pipes only
  Input input_;
  Ending ending_;
  // state of the program
  pid_t leader_ = 0;  // its pid, also after its end; 0: not started
  bool exited_ = false;
  bool exit_saved_ = true;  // false: the disk did not take the exit file yet
  uint64_t exit_offset_ = 0;
  int exit_status_ = 0;
  SpawnResult start_;
  uint16_t rows_;
  uint16_t cols_;
  // state of the server
  uint64_t acked_out_ = 0;
  uint64_t acked_err_ = 0;
  bool bell_armed_ = false;
  uint64_t inline_sent_ = 0;
  bool report_wanted_ = false;  // it asked for the end
  // timers
  uint64_t grace_ms_;
  Time grace_at_ = Time::max();  // nobody attached
  Time retry_at_ = Time::max();
  Time give_up_at_ = Time::max();  // on a server that does not listen
  Time hello_by_ = Time::max();    // for a server that has connected
  bool grace_is_over_ = false;
  bool finishing_ = false;
  bool done_ = false;
};

}  // namespace glasstty

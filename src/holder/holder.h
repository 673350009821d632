// One session: its program, its terminal, its log, the connections to the
// server and to observers.
//
// Owns all of them and runs the loop: a plain poll() over the terminal, the
// server, the observers, the listening sockets and SIGCHLD. Handles the
// requests of wire/packets.h. Does not parse what the program prints. One
// thread; the only call that blocks is reading the errno pipe in Spawn.
//
// Invariants
//   The program's last byte is in the log before its exit is published (file,
//   event, packet, in this order), and the exit is published before the
//   program is reaped.
//   The holder lives exactly as long as any process of its tree, except that it
//   waits to hand a server the bytes that a full disk did not take.
//   Without a server it keeps reading; a timer (the grace) then ends the
//   session, unless a person has the keyboard.
//   Either the server types or one person does, never both.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "holder/device.h"
#include "holder/ending.h"
#include "holder/event_writer.h"
#include "holder/input.h"
#include "holder/lease.h"
#include "holder/link.h"
#include "holder/observers.h"
#include "holder/output.h"
#include "holder/spawn.h"
#include "wire/launch.h"
#include "wire/packets.h"

namespace glasstty::holder {

class Holder {
 public:
  // What main() has prepared. `dir_fd` is borrowed, `signals` reads SIGCHLD
  // and SIGTERM.
  struct Start {
    wire::LaunchSpec spec;
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
  void SendExit(Connection* to);
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
  void Handle(const wire::Packet& packet, Time now);
  void Greet();
  void LoseServer(Time now);
  void TakeWrite(const wire::Packet& packet, Time now);
  void Resize(uint64_t rows, uint64_t cols);
  void Signal(uint64_t number, uint64_t target);
  void Close(uint64_t grace_ms, uint64_t flags, Time now);
  void SendTree(uint64_t serial, uint64_t flags = 0);
  void SendRefused(Connection* to, uint64_t serial, wire::WriteRefusal reason,
                   uint64_t taken);
  void SendDropped();
  void SendReceipt(Time now);
  // How far the server has read, for back-pressure; both logs kept from there.
  void SetAcked();
  // Tells everybody where the log ends, once until they acknowledge.
  void Ring();
  void SendInline();
  void SendWelcome(Connection* to);
  wire::ProbeAnswer Look();
  void SendState(Connection* to, uint64_t serial);
  void StartGrace(Time now);

  // Observers and the lease (watching.cc).
  void ReadObservers(Time now);
  void ReadObserver(Observer* observer, Time now);
  void HandleObserver(Observer* observer, const wire::Packet& packet, Time now);
  void GreetObserver(Observer* observer, std::string_view label);
  void LoseObserver(const Observer* observer, Time now);
  void TakeKeyboard(const Observer& observer, const wire::PacketHeader& header,
                    Time now);
  void EndLease(wire::LeaseEnd how, Time now);
  void TakeTyped(Observer* observer, const wire::Packet& packet, Time now);
  void CountTyped(const wire::Packet& packet);
  void ProbeForObserver(Observer* observer, uint64_t serial, Time now);
  void SendLease(Connection* to, bool yours);
  void TellLease();
  void RunLeaseTimers(Time now);
  Time NextLeaseTimer() const;
  Observer* FindObserver(uint32_t id);
  wire::HolderInfo Info() const;

  bool DrainOutputs();
  bool IsSettled(int* unread);
  Output& out() { return outputs_[0]; }
  const Output& out() const { return outputs_[0]; }

  // constant, but for what only the start needs
  wire::LaunchSpec spec_;
  const int dir_fd_;     // borrowed
  const int start_dir_;  // borrowed
  // owned
  UniqueFd signals_;
  Link link_;
  Observers observers_;
  Device device_;
  const MonotonicClock clock_;
  EventWriter events_;
  InputLog input_log_;
  std::array<Output, 2> outputs_;  // the second for pipes only
  Input input_;
  Ending ending_;
  Lease lease_;
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
  bool report_wanted_ = false;   // it asked for the end
  bool refuses_rest_ = false;    // the beginning of this write was refused
  std::string ask_;              // what its agent asks a person for
  wire::ProbeAnswer last_look_;  // for observers that ask often
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

}  // namespace glasstty::holder

// A scripted holder: the other end of a Channel, with a real log directory in a
// temporary place.
//
// Owns the directory. The session owns the channel; this keeps a pointer to it
// that is valid while the session lives.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "record/program_spec.h"
#include "session/channel.h"
#include "session/session.h"
#include "support/loop.h"
#include "testing/received.h"

namespace glasstty {

class FakeHolder {
 public:
  FakeHolder();
  ~FakeHolder();

  ManualClock* clock() { return &clock_; }
  Loop* loop() { return &loop_; }

  // From here on, sessions run on another machine.
  void LiveElsewhere();

  // Opens a session on this holder, started with this pid.
  session::SessionRef Open(terminal::Size size = {6, 20},
                           int scrollback_rows = 10'000);
  // From here on, sessions have no terminal: stderr is a separate log.
  void UsePipes() { pipe_ = true; }
  // From here on, this client opens the sessions.
  void BeOpenedBy(record::Opener opener) { opener_ = std::move(opener); }
  // Opens a session that an earlier server left when the log reached `end`.
  session::SessionRef OpenAdopted(uint64_t end);
  // Like OpenAdopted, before the holder has greeted the server.
  session::SessionRef OpenUngreeted();

  // The program prints: appends to the log, rings the doorbell and runs the
  // loop.
  void Print(std::string_view bytes);
  // Appends to the log only.
  void PrintSilently(std::string_view bytes);
  // Like PrintSilently, for the log of stderr. REQUIRES: UsePipes.
  void PrintErrorSilently(std::string_view bytes);
  void Ring();
  // Rings the doorbell without running the loop.
  void RingUnfed();
  void Exit(int wait_status);
  // The program could not be started: gives the stage, and the errno.
  void FailStart(wire::StartStage stage, int error);
  // The holder process is gone.
  void Vanish();
  // The relay reports since when there is no connection to the program's
  // machine, or that there is one and how much of the log is still to come.
  void Leave();
  void Return(uint64_t bytes = 0);
  // A new relay continues a session that was cut off, and greets it.
  void Resume(const session::SessionRef& session);
  void Greet();
  // Tells the session that everything typed was read; `unfinished`: except for
  // a line in the kernel that has no end yet.
  void Consume(bool unfinished = false);
  void Resized(terminal::Size size);
  // Sets the answer to the next probes; by default the program is busy.
  void Answer(wire::Waiting waiting, bool canonical = true, bool echo = true,
              const char* name = "program");
  // From here on, no probe is answered, as by a holder that has much output to
  // pass on.
  void BeBusy() { is_busy_ = true; }
  // The next probes report that the terminal leaves output unchanged (stty
  // raw).
  void UseRawOutput(bool raw) { answer_.raw_output = raw; }
  // The next probes report that keys such as ^C are text.
  void SwitchSignalsOff(bool off = true) { answer_.no_signals = off; }
  // The next probes report a reader outside of the foreground; 0: none.
  void ReadOutside(int pid, std::string_view name = "") {
    answer_.outside_pid = pid;
    answer_.outside_name[name.copy(answer_.outside_name, 23)] = '\0';
  }
  // Sets the pending work that the next probes report if asked for it.
  void Work(wire::PendingWork work) {
    work.known = 1;
    answer_.work = work;
  }
  // Sets the process groups of the foreground and its ancestors, which probes
  // report.
  void Lineage(const std::vector<int>& groups);
  // Answers the last kTree with one process that listens on this port, or none.
  void ReportListener(std::optional<uint16_t> port);
  // A person takes the keyboard, or gives it back; `keys` and `secrets` count
  // from the beginning.
  void Lease(bool held, uint32_t serial, uint32_t keys = 0,
             uint32_t secrets = 0);
  // A call of another server takes it, or gives it back.
  void LeaseForCall(bool held, uint32_t serial, uint32_t keys = 0);
  // The holder asks for the keyboard, for a call of another server.
  void Want() { Deliver(wire::Wanted{}); }
  // Sends the report of what a close has left: nothing.
  void ReportNoSurvivors();
  // The last process of the session has ended.
  void ReportEmpty() { Deliver(wire::Empty{}); }
  // From here on, refuses each write after its first `taken` bytes.
  void RefuseWrites(wire::WriteRefusal why, uint64_t taken = 0) {
    refusal_ = why;
    taken_ = taken;
  }
  void Advance(Duration by);

  // The packets from the session, in order.
  const std::vector<Received>& sent() const { return sent_; }
  // Those of one type. Texts in them are valid until the next packet is sent.
  template <wire::IsMessage M>
  std::vector<M> AllSent() const {
    std::vector<M> all;
    for (const Received& sent : sent_) {
      if (sent.header.type == M::kType) all.push_back(sent.As<M>());
    }
    return all;
  }
  // Returns all bytes typed so far.
  std::string typed() const;
  size_t CountSent(wire::PacketType type) const;
  uint64_t end() const { return end_; }
  int directory() const { return directory_.get(); }
  record::Folder folder() const;
  const std::string& path() const { return path_; }

 private:
  class FakeChannel;

  UniqueFd OpenLog(const char* stem) const;
  session::SessionRef Create(terminal::Size size, int scrollback_rows);
  uint64_t NowNs() const;
  void OnSent(wire::PacketHeader header, std::string_view payload);
  void Deliver(const wire::IsMessage auto& message) {
    DeliverPacket(wire::Encode(message).packet());
  }
  void DeliverPacket(const wire::Packet& packet);
  void Deliver(wire::LeaseInfo info, bool held, const char* label);

  ManualClock clock_;
  Loop loop_{&clock_};
  std::string path_;
  UniqueFd parent_;
  UniqueFd directory_;
  UniqueFd log_;
  UniqueFd error_log_;
  bool pipe_ = false;
  record::Opener opener_;
  FakeChannel* channel_ = nullptr;
  uint64_t end_ = 0;
  uint64_t error_end_ = 0;
  wire::ProbeAnswer answer_;
  bool is_busy_ = false;
  std::optional<wire::WriteRefusal> refusal_;
  uint64_t taken_ = 0;
  std::vector<Received> sent_;
  std::string place_;
};

// Returns the state like a caller that asks once, if it is known for this
// screen.
inline std::optional<session::SessionState> AskState(
    const session::SessionRef& session) {
  auto interest = session->questions().Keep(session::Interest::kState);
  return session->verdict().settled_state();
}

inline std::string FirstRow(const session::Session& session) {
  return session.output().terminal().TakeSnapshot().rows[0].text;
}

}  // namespace glasstty

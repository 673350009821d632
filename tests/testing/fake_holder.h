// A holder that does what the test says: the scripted other end of a Channel,
// with a real log directory in a temporary place.
//
// Owns the directory. The session owns the channel; this keeps a pointer to it
// that is valid while the session lives.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "session/channel.h"
#include "session/session.h"
#include "support/loop.h"

namespace glasstty {

class FakeHolder {
 public:
  FakeHolder();
  ~FakeHolder();

  ManualClock* clock() { return &clock_; }
  Loop* loop() { return &loop_; }

  // The sessions from here on run on another machine.
  void LiveElsewhere();

  // A session on this holder, started with this pid.
  session::SessionRef Open(terminal::Size size = {6, 20},
                           int scrollback_rows = 10'000);
  // The sessions from here on have no terminal: stderr is a log of its own.
  void UsePipes() { pipe_ = true; }
  // One that an earlier server left when the log reached `end`.
  session::SessionRef OpenAdopted(uint64_t end);
  // The same before the holder has greeted the server.
  session::SessionRef OpenUngreeted();

  // The program prints: appended to the log, doorbell rung, loop run.
  void Print(std::string_view bytes);
  // Appended to the log only.
  void PrintSilently(std::string_view bytes);
  // The same for the log of stderr. REQUIRES: UsePipes.
  void PrintErrorSilently(std::string_view bytes);
  void Ring();
  // The doorbell has rung, and the loop has not run since.
  void RingUnfed();
  void Exit(int wait_status);
  // The program could not be started: the stage, and why (errno).
  void FailStart(wire::StartStage stage, int error);
  // The holder process is gone.
  void Vanish();
  // What a relay tells: since when there is no connection to the program's
  // machine, or that there is one and how much of the log is to come.
  void Leave();
  void Return(uint64_t bytes = 0);
  // A new relay goes on with a session that was cut off, and greets it.
  void Resume(const session::SessionRef& session);
  void Greet();
  // Tells the session that everything typed was read; `unfinished`: but for a
  // line in the kernel that has no end yet.
  void Consume(bool unfinished = false);
  void Resized(terminal::Size size);
  // What the next probes are answered with; by default the program is busy.
  void Answer(wire::Waiting waiting, bool canonical = true, bool echo = true,
              const char* name = "program");
  // No probe is answered from here on, as by a holder that has to pass on much.
  void BeBusy() { is_busy_ = true; }
  // The next probes tell that the terminal leaves output as it is (stty raw).
  void UseRawOutput(bool raw) { answer_.raw_output = raw; }
  // The process groups of the foreground and its ancestors; a probe tells them.
  void Lineage(const std::vector<int>& groups);
  // The report that answers the last kTree: one process that listens on this
  // port, or none.
  void ReportListener(std::optional<uint16_t> port);
  // A person takes the keyboard, or gives it back; `keys` and `secrets` count
  // from the beginning.
  void Lease(bool held, uint32_t serial, uint32_t keys = 0,
             uint32_t secrets = 0);
  // The report of what a close has left: nothing.
  void ReportNoSurvivors();
  // The last process of the session has ended.
  void ReportEmpty() { Deliver(wire::PacketType::kEmpty); }
  // From here on, each after its first `taken` bytes.
  void RefuseWrites(wire::WriteRefusal why, uint64_t taken = 0) {
    refusal_ = why;
    taken_ = taken;
  }
  void Advance(Duration by);

  struct Sent {
    wire::PacketHeader header;
    std::string payload;
  };
  // Packets from the session, in order.
  const std::vector<Sent>& sent() const { return sent_; }
  // All bytes typed so far.
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
  void OnSent(wire::PacketHeader header, std::string_view payload);
  void Deliver(wire::PacketType type, uint64_t a = 0, uint64_t b = 0,
               std::string_view payload = {});

  ManualClock clock_;
  Loop loop_{&clock_};
  std::string path_;
  UniqueFd parent_;
  UniqueFd directory_;
  UniqueFd log_;
  UniqueFd error_log_;
  bool pipe_ = false;
  FakeChannel* channel_ = nullptr;
  uint64_t end_ = 0;
  uint64_t error_end_ = 0;
  wire::ProbeAnswer answer_;
  bool is_busy_ = false;
  std::optional<wire::WriteRefusal> refusal_;
  uint64_t taken_ = 0;
  std::vector<Sent> sent_;
  std::string place_;
};

// As a caller that asks once: the state, if it is known for this screen.
inline std::optional<session::SessionState> AskState(
    const session::SessionRef& session) {
  auto interest = session->Keep(session::Interest::kState);
  return session->settled_state();
}

}  // namespace glasstty

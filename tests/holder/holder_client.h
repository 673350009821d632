// A server's side of one holder, for tests: launches it in a directory of its
// own, talks to it, and reads what it logged. Everything waits on descriptors
// with a deadline; nothing sleeps.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "testing/received.h"
#include "wire/launch.h"
#include "wire/messages.h"
#include "wire/session_files.h"

namespace glasstty::holder {

// A directory that a session may use; it is removed with its contents.
class SessionDir {
 public:
  // Creates it below $TMPDIR or `parent`.
  explicit SessionDir(const std::string& parent = "");
  SessionDir(const SessionDir&) = delete;
  SessionDir& operator=(const SessionDir&) = delete;
  ~SessionDir();
  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  bool Has(const std::string& name) const;

 private:
  std::string path_;
  UniqueFd fd_;
};

struct Row {
  wire::ProcessRow row;
  std::vector<int> ports;
  std::string command;
};

// Returns the path of the actor.
std::string ActorFile();
// Returns a spec for the actor with these arguments; see actor.cc.
wire::LaunchSpec ActorSpec(const std::vector<std::string>& arguments);
wire::LaunchSpec ShellSpec(const std::string& script);

class HolderClient {
 public:
  // Launches `spec`. ok() tells whether that worked.
  explicit HolderClient(const wire::LaunchSpec& spec,
                        const std::string& parent = "");
  // Ends the session, whatever state it is in.
  ~HolderClient();

  bool ok() const { return control_.valid(); }
  SessionDir& dir() { return dir_; }
  int control() const { return control_.get(); }
  // Closes the connection, as the death of a server does.
  void Disconnect() { control_.Reset(); }
  // Connects to `ctl`; the deadline covers a holder that has yet to notice the
  // loss of the former connection.
  bool Reconnect();

  bool Send(const wire::IsMessage auto& message) {
    return SendPatiently(control_.get(), message);
  }
  void Write(uint64_t serial, std::string_view text, uint64_t flags = 0) {
    Send(wire::Write{serial, flags, text});
  }
  // Says Hello and receives Welcome and Started.
  bool Greet();
  const wire::HolderInfo& info() const { return info_; }
  pid_t leader() const { return leader_; }

  // Returns the next message of that type, whose texts are valid until the next
  // call. Keeps others before it for later calls, and acknowledges Data on the
  // way (see set_acknowledges).
  template <wire::IsMessage M>
  std::optional<M> Await(std::chrono::milliseconds limit = kPatience) {
    if (!Receive(M::kType, limit)) return std::nullopt;
    return last_.As<M>();
  }
  // Like Await, but only looks at what has arrived already.
  template <wire::IsMessage M>
  std::optional<M> Poll() {
    return Await<M>(std::chrono::milliseconds(0));
  }
  // Reads packets until `done` returns true or the connection ends.
  bool AwaitUntil(const std::function<bool()>& done,
                  std::chrono::milliseconds limit = kPatience);
  void set_acknowledges(bool on) { acknowledges_ = on; }
  bool closed() const { return closed_; }

  // Returns the log from its first kept byte to its present end.
  std::string Log(const std::string& stem = "out") const;
  // Returns the offset of its end, without reading it.
  uint64_t LogEnd() const;
  bool AwaitText(std::string_view text,
                 std::chrono::milliseconds limit = kPatience);
  // Probes until the verdict is settled and `wanted` accepts it.
  std::optional<wire::ProbeAnswer> AwaitProbe(
      const std::function<bool(const wire::ProbeAnswer&)>& wanted,
      std::chrono::milliseconds limit = kPatience);
  std::optional<wire::ProbeAnswer> ProbeOnce(uint64_t flags = 0);
  // Like AwaitProbe, for what the program is about to do by itself.
  std::optional<wire::PendingWork> AwaitWork(
      const std::function<bool(const wire::PendingWork&)>& wanted);
  // Returns the rows of the next report with this serial.
  std::vector<Row> AwaitRows(uint64_t serial);
  // Returns true when the holder process is gone and has left nothing but
  // files.
  bool AwaitDeath(std::chrono::milliseconds limit = kPatience);

 private:
  // Receives a packet of this type into `last_`.
  bool Receive(wire::PacketType type, std::chrono::milliseconds limit);
  // Receives one packet into `inbox_`; returns false at the deadline or the
  // end.
  bool TakeOne(std::chrono::steady_clock::time_point deadline);

  SessionDir dir_;
  UniqueFd control_;
  wire::HolderInfo info_;
  pid_t leader_ = 0;
  std::deque<Received> inbox_;
  Received last_;
  bool acknowledges_ = true;
  bool closed_ = false;
  uint64_t probe_serial_ = 0;
};

// A holder whose program has started, and has printed `text`, if any.
class StartedHolder : public HolderClient {
 public:
  explicit StartedHolder(const wire::LaunchSpec& spec,
                         std::string_view text = {})
      : HolderClient(spec) {
    EXPECT_TRUE(Greet());
    EXPECT_TRUE(text.empty() || AwaitText(text));
  }
};

// Runs `body` in a child as an ordinary user (if we are root). Returns true if
// no expectation failed in it.
bool RunAsOrdinaryUser(const std::function<void()>& body);
// Waits until `pid` is gone; returns false at the deadline. Uses a pidfd.
bool AwaitProcessEnd(pid_t pid, std::chrono::milliseconds limit = kPatience);
// Returns the living processes whose command line contains `text`.
std::vector<pid_t> FindProcesses(const std::string& text);
// Waits until `condition` is true, and checks it every few milliseconds by
// poll(2) on nothing.
bool Eventually(const std::function<bool()>& condition,
                std::chrono::milliseconds limit = kPatience);

}  // namespace glasstty::holder

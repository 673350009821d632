// The parts that every server needs, whatever its clients: `glasstty mcp`
// connects it to stdin and stdout, `glasstty serve` to a socket.
//
// Owns all parts of a server except its transports, and wires them together.
// Knows no tool and no method. Transports must be destroyed before it. One
// thread.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "cli/command.h"
#include "cli/settings.h"
#include "mcp/server.h"
#include "session/session_manager.h"
#include "support/loop.h"
#include "tools/resources.h"
#include "tools/workbench.h"

namespace glasstty {

class Serving {
 public:
  explicit Serving(const Settings& settings);
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  // What is in front: `close` stops it taking requests, `drained` tells whether
  // all that was answered has been written. To be called before Run.
  void SetFront(std::function<void()> close, std::function<bool()> drained);
  // Serves until the end. SIGINT, SIGTERM and SIGHUP lead there as well.
  void Run() { loop_.Run(); }
  // The one path to the end, whatever began it: sessions are told to end, and
  // Run returns within a second. A second call changes nothing.
  void End();

  Loop* loop() { return &loop_; }
  mcp::Server* server() { return &server_; }
  const session::SessionManager& sessions() const { return manager_; }

 private:
  // Holders' reports, running calls and unsent bytes have no event in common,
  // so the end is looked for; it takes at most kLastMoment / kEndPoll looks.
  static constexpr Duration kEndPoll = std::chrono::milliseconds(5);

  void CheckEnd();

  MonotonicClock clock_;
  Loop loop_;
  session::SessionManager manager_;
  Workbench bench_;
  SessionResources resources_;
  mcp::Server server_;
  Timer last_moment_;
  Timer poll_end_;
  std::vector<std::unique_ptr<SignalWatch>> signals_;
  std::function<void()> close_;
  std::function<bool()> drained_;
  bool ending_ = false;
};

// Loads the settings and prepares the process. nullopt: the message has been
// printed, and the exit status is 2.
std::optional<Settings> PrepareToServe(const Options& options);

}  // namespace glasstty

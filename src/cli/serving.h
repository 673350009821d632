// The parts that every server needs, whatever its clients: `glasstty mcp`
// connects them to stdin and stdout, `glasstty serve` to a socket.
//
// Owns all parts of a server except its transports, and wires them together.
// Implements no tool and no method. Transports must be destroyed before it.
// Single-threaded.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "cli/command.h"
#include "cli/event_command.h"
#include "cli/settings.h"
#include "mcp/server.h"
#include "session/session_manager.h"
#include "support/loop.h"
#include "tools/resources.h"
#include "tools/workbench.h"

namespace glasstty {

class Serving {
 public:
  // `note` precedes the instructions for models.
  explicit Serving(const Settings& settings, const std::string& note = "");
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  // Sets the front end: `close` stops it from accepting requests, and `drained`
  // returns whether all answers have been written. Must be called before Run.
  void SetFront(std::function<void()> close, std::function<bool()> drained);
  // Serves until the end. SIGINT, SIGTERM and SIGHUP cause the end as well.
  void Run() { loop_.Run(); }
  // Begins the end; all ways to end lead here. Starts to end all sessions but
  // kept ones; Run returns within a second. A second call changes nothing.
  void End();

  Loop* loop() { return &loop_; }
  mcp::Server* server() { return &server_; }
  session::SessionManager& sessions() { return manager_; }
  // Adopts sessions that an earlier server has left, without waiting for a
  // call.
  void Prepare();

 private:
  // No single event says that holders have reported, calls have returned and
  // all bytes are sent, so the end is polled for.
  static constexpr Duration kEndPoll = std::chrono::milliseconds(5);

  void CheckEnd();

  MonotonicClock clock_;
  Loop loop_;
  session::SessionManager manager_;
  Workbench bench_;
  std::optional<EventCommand> event_command_;
  SessionResources resources_;
  mcp::Server server_;
  Timer last_moment_;
  Timer poll_end_;
  std::vector<std::unique_ptr<SignalWatch>> signals_;
  std::function<void()> close_;
  std::function<bool()> drained_;
  bool ending_ = false;
};

// Returns nullopt if the settings are invalid: the message has been printed,
// and the exit status is 2.
std::optional<Settings> CheckSettings(const Options& options);

// Prepares the process: its log, its limits and its share of the processor.
void PrepareToServe();

}  // namespace glasstty

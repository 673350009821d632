// A connection from the bridge to the shared server, line by line.
//
// Owns the socket and the data that waits to be written. Lives on the loop's
// thread; must be destroyed before the loop. Neither callback is called from
// within Send, and either may destroy the connection.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "mcp/framing.h"
#include "support/loop.h"

namespace glasstty::bridge {

class Upstream {
 public:
  struct Events {
    std::function<void(std::string line)> line;
    // The server has gone. `was_read`: it had read all that was sent; if not,
    // it has not begun what the last line asks for.
    std::function<void(bool was_read)> ended;
  };

  // `server`: a connected socket.
  Upstream(Loop* loop, UniqueFd server, Events events);
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;

  // `line` has no newline in it.
  void Send(std::string_view line);
  // While paused nothing is read, and the server notices that in time.
  void Pause(bool paused) { readable_.Enable(!paused); }

 private:
  void Read();
  void Write();
  void ServeLines();

  UniqueFd server_;
  Events events_;
  mcp::LineSplitter lines_;
  std::string waiting_;  // to be written
  FdWatch readable_;
  FdWatch writable_;
  // Set while lines are served, and told when this has been destroyed.
  bool* destroyed_ = nullptr;

 public:
  ~Upstream();
};

}  // namespace glasstty::bridge

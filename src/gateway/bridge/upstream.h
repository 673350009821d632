// A connection from the bridge to the shared server, line by line.
//
// Owns the socket and the queue of unwritten data. Loop thread only; must be
// destroyed before the loop. Send calls neither callback, and either callback
// may destroy the connection.
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
    // Called when the server is gone, or has sent a line that is too long.
    // `was_read` is true if the server may have read everything that was sent.
    // If it is false, the server has not begun the request in the last line.
    std::function<void(bool was_read)> ended;
  };

  // `server` must be a connected socket.
  Upstream(Loop* loop, UniqueFd server, Events events);
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;

  // `line` must not contain a newline.
  void Send(std::string_view line);
  // While paused, nothing is read from the socket, so the server cannot send
  // more once the buffers are full.
  void Pause(bool paused) { readable_.Enable(!paused); }

 private:
  void Read();
  void Write();
  void ServeLines();
  void End(bool was_read);

  UniqueFd server_;
  Events events_;
  mcp::LineSplitter lines_;
  std::string waiting_;  // bytes that are not written yet
  FdWatch readable_;
  FdWatch writable_;
  // While ServeLines runs, points to its flag, which the destructor sets.
  bool* destroyed_ = nullptr;

 public:
  ~Upstream();
};

}  // namespace glasstty::bridge

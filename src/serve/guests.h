// The clients of the shared server: accepts them, gives each a transport, and
// ends those that have gone.
//
// Owns the listener and the connections. Borrows the loop and the server, which
// outlive it. Loop thread only. The number of clients is limited, and so is
// what its transport and the server hold for each of them
// (mcp/stdio_transport.h, Server::kMaxWaiting).
#pragma once

#include <functional>
#include <list>
#include <memory>

#include "base/fd.h"
#include "mcp/server.h"
#include "mcp/stdio_transport.h"
#include "serve/listener.h"
#include "support/loop.h"

namespace glasstty::serve {

class Guests {
 public:
  static constexpr size_t kMost = 256;

  Guests(Loop* loop, mcp::Server* server, Listener listener);
  Guests(const Guests&) = delete;
  Guests& operator=(const Guests&) = delete;

  size_t size() const { return guests_.size(); }
  // Called when somebody has come or gone.
  void OnChange(std::function<void()> changed) {
    changed_ = std::move(changed);
  }

  // Nobody is accepted any more and nothing is read. Relays are told that the
  // server ends in order. What is queued is still sent.
  void Close();
  // Nothing that is queued can still be sent.
  bool drained() const;

 private:
  // How long one that has said its last word may take its answers.
  static constexpr Duration kFarewell = std::chrono::milliseconds(500);
  // Until descriptors may be free again.
  static constexpr Duration kAcceptPause = std::chrono::milliseconds(100);

  struct Guest {
    UniqueFd fd;
    std::unique_ptr<mcp::StdioTransport> transport;
    std::unique_ptr<Timer> farewell;  // armed once it is to go
  };
  using Place = std::list<Guest>::iterator;

  void Accept();
  void Admit(UniqueFd fd);
  void SayGoodbye(Place guest);
  void Remove(Place guest);

  Loop* const loop_;
  mcp::Server* const server_;
  Listener listener_;
  std::list<Guest> guests_;
  FdWatch acceptable_;
  Timer accept_timer_;
  std::function<void()> changed_;
  bool closed_ = false;
};

}  // namespace glasstty::serve

// The clients of the shared server: accepts them, creates a transport for each,
// and removes those that have ended.
//
// Owns the listener and the connections. Borrows the loop and the server, which
// must outlive it. Loop thread only. The number of clients is limited, and so
// is the data that is kept for each client (mcp/stdio_transport.h,
// Server::kMaxWaiting).
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

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
  const Listener& listener() const { return listener_; }
  // Returns true until Close.
  bool is_open() const { return !closed_; }
  // Sets a function that is called whenever a client was added or removed.
  void OnChange(std::function<void()> changed) {
    changed_ = std::move(changed);
  }

  // Calls Listener::Renew, unless Close was called.
  absl::Status ListenAgain(const std::string& base);

  // Accepts no more clients, reads no more requests, and sends kClosingLine to
  // relays. Queued lines are still sent.
  void Close();
  // Returns true if no queued line is left that can still be sent.
  bool drained() const;

 private:
  // The time for which a client may receive answers after its last line.
  static constexpr Duration kFarewell = std::chrono::milliseconds(500);
  // The pause after a failed accept, until descriptors may be free again.
  static constexpr Duration kAcceptPause = std::chrono::milliseconds(100);

  struct Guest {
    UniqueFd fd;
    std::unique_ptr<mcp::StdioTransport> transport;
    std::unique_ptr<Timer> farewell;  // armed once the guest is leaving
  };
  using Place = std::list<Guest>::iterator;

  void Watch();
  void Accept();
  // Sends an error to the waiting clients, because there are no descriptors for
  // them.
  void RefuseWaiting();
  void Refuse(int fd, const std::string& why);
  void Admit(UniqueFd fd);
  void SayGoodbye(Place guest);
  void Remove(Place guest);

  Loop* const loop_;
  mcp::Server* const server_;
  Listener listener_;
  std::list<Guest> guests_;
  std::optional<FdWatch> acceptable_;
  Timer accept_timer_;
  UniqueFd spare_;  // closed briefly, to accept clients that must be refused
  std::function<void()> changed_;
  bool closed_ = false;
};

}  // namespace glasstty::serve

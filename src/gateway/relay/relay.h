// Passes lines unchanged between a client on stdin and stdout and the shared
// server. When the server has restarted, it reconnects, and answers or repeats
// what was open.
//
// Owns the connection. Borrows stdin and stdout. Single-threaded, with a single
// poll(2). The amount of data that may wait in each direction is limited.
//
// If the server has died, another one is started immediately, because sessions
// wait for it; if it has ended cleanly, at the client's next line. The relay
// repeats to the new server what the client had negotiated with the old one
// (`initialize` and the like), and does not pass on the answers. A request that
// the old server may have read is answered with an error. Lines that were not
// sent, and the last one if it is certain that it was not read, are sent to the
// new server. For HTTP, bridge/post.h does the same.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/poll_loop.h"
#include "relay/peek.h"

namespace glasstty::relay {

class Relay {
 public:
  // `base` is the state directory, `executable` the glasstty that serves.
  Relay(UniqueFd server, std::string base, std::string executable);

  // Runs until the client has ended, or no server is available. Returns the
  // exit status.
  int Run();

 private:
  // The number of bytes that may wait for one side; above it, the other side is
  // not read.
  static constexpr size_t kHighWater = 1 << 20;
  // A longer line is passed on in pieces, without being examined.
  static constexpr size_t kLongestLine = 4 << 20;
  // The number of lines of agreement that are kept.
  static constexpr size_t kMostAgreements = 64;

  bool Turn();
  bool ReadClient();
  void TakeClientLine(std::string line);
  void Agree(const Peeked& message, const std::string& line);
  bool ReadServer();
  void TakeServerLine(const std::string& line);
  void WriteServer();
  bool WriteClient();
  // Call when the connection has ended. `was_read`: the server had read
  // everything.
  void Lose(bool was_read);
  bool TakeRefusal();
  bool IsAwaited(const std::string& line) const;
  bool Reconnect();
  void Greet();
  void SendError(const std::string& id);
  bool HasBytesForServer() const {
    return !greeting_.empty() || !to_server_.empty();
  }

  PollLoop loop_;
  const std::string base_;
  const std::string executable_;
  UniqueFd server_;
  bool is_over_ = false;       // the client has sent its last line
  bool was_polite_ = false;    // the server announced its end
  bool was_answered_ = false;  // on this connection
  std::string refusal_;        // the server's error instead of all answers
  bool may_skip_in_ = false;   // inside a line that is too long
  int losses_ = 0;             // connections that ended since the last answer
  std::string from_client_;    // has no newline yet
  std::string from_server_;
  std::deque<std::string> greeting_;   // is sent before to_server_
  std::deque<std::string> to_server_;  // whole lines or pieces of long ones
  size_t sent_ = 0;                    // bytes of the first of both
  std::string last_sent_;              // the line before it
  std::string to_client_;
  std::set<std::string> pending_;  // ids that the client waits for
  // Lines to repeat, with what they are about: a later one about the same
  // replaces them.
  struct Agreement {
    std::string subject;
    std::string line;
  };
  std::vector<Agreement> agreements_;
  std::multiset<std::string> unwanted_;  // ids of the answers to them
};

}  // namespace glasstty::relay

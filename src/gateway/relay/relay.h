// Passes lines unchanged between a client on stdin and stdout and the shared
// server. When the server has restarted, reconnects, and repeats the open
// requests or answers them with an error.
//
// `glasstty mcp` begins the work itself, so that the first answer does not wait
// for another process, and then becomes `glasstty-relay`, which needs less
// memory.
//
// Owns the connection. Borrows stdin and stdout. Single-threaded, with a single
// poll(2). The amount of queued data is limited in each direction.
//
// If the server has died, another one is started immediately, because sessions
// wait for it. If the server has ended in an orderly way, another one is
// started at the client's next line. To the new server, the relay repeats the
// client's agreements with the old one (`initialize` and the like), and drops
// the answers to them. A request that the old server may have read is answered
// with an error. The new server gets the unsent lines, and also the last
// request that was sent if the old server certainly did not read it. For HTTP,
// bridge/post.h does the same.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <functional>
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
  // `base` is the state directory; `executable` is the program that serves.
  Relay(UniqueFd server, std::string base, std::string executable);
  // Continues the work of another relay, which must be idle, with its
  // connection and its agreements().
  Relay(UniqueFd server, std::string base, std::string executable,
        std::string_view agreements);

  // Runs until the client has ended or no server is available. Returns the exit
  // status. Calls `when_idle` once, as soon as the client has received an
  // answer and no request or data is pending in either direction.
  int Run(const std::function<void()>& when_idle = nullptr);
  int server_fd() const { return server_.get(); }
  // Returns the client's agreements with the server as lines, each with a
  // newline.
  std::string agreements() const;

 private:
  // While more bytes than this are queued for one side, the other side is not
  // read.
  static constexpr size_t kHighWater = 1 << 20;
  // A longer line of the client is passed on in pieces, without being examined.
  static constexpr size_t kLongestLine = 4 << 20;
  // The maximum number of agreements that are kept.
  static constexpr size_t kMostAgreements = 64;

  bool Turn();
  bool IsIdle() const;
  bool ReadClient();
  void TakeClientLine(std::string line);
  void Agree(const Peeked& message, const std::string& line);
  bool ReadServer();
  void TakeServerLine(const std::string& line);
  void WriteServer();
  bool WriteClient();
  // Call when the connection has ended. `was_read` is true if the server had
  // read everything.
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
  bool was_answered_ = false;  // the server has answered on this connection
  std::string refusal_;        // the error with which the server has refused
                               // the connection
  bool may_skip_in_ = false;   // inside a line that is too long
  int losses_ = 0;             // connections that ended since the last answer
  std::string from_client_;    // the beginning of an incomplete line
  std::string from_server_;
  std::deque<std::string> greeting_;   // sent before to_server_
  std::deque<std::string> to_server_;  // whole lines or pieces of long ones
  size_t sent_ = 0;                    // bytes sent of the line in transit
  std::string last_sent_;  // the last line of to_server_ that was sent whole
  std::string to_client_;
  std::set<std::string> pending_;  // ids that the client waits for
  // A line that is repeated to a new server. A later line with the same subject
  // replaces it.
  struct Agreement {
    std::string subject;
    std::string line;
  };
  std::vector<Agreement> agreements_;
  std::multiset<std::string> unwanted_;  // ids of repeated lines, whose answers
                                         // are not passed on
};

}  // namespace glasstty::relay

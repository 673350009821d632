// Passes lines unchanged between a client on stdin and stdout and the shared
// server, and reconnects when the server has restarted.
//
// Owns the connection. Borrows stdin and stdout. One thread, one poll(2). The
// amount of data that may wait in each direction is limited.
//
// If the server has died, another one is started immediately, because sessions
// wait for it; if it has ended cleanly, at the client's next line. The relay
// repeats to the new server what the client had negotiated with the old one
// (`initialize` and the like), and does not pass on the answers. A request that
// the old server had read is answered with an error; one that it had not read
// is sent to the new server.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "relay/peek.h"

namespace glasstty::relay {

class Relay {
 public:
  // `base` is the state directory, `executable` the glasstty that serves.
  Relay(UniqueFd server, std::string base, std::string executable);

  // Until the client has gone, or no server can be had. The exit status.
  int Run();

 private:
  // Bytes that wait for one side; while there are more, the other is not read.
  static constexpr size_t kHighWater = 1 << 20;
  // A longer line is passed on in pieces, and nothing is known of it.
  static constexpr size_t kLongestLine = 4 << 20;
  // Lines of agreement that are kept.
  static constexpr size_t kMostAgreements = 64;

  bool Turn();
  bool ReadClient();
  void TakeClientLine(std::string line);
  bool ReadServer();
  void TakeServerLine(std::string line);
  void WriteServer();
  bool WriteClient();
  // The connection has ended. `was_read`: the server had read all of it.
  void Lose(bool was_read);
  bool IsAwaited(const std::string& line) const;
  bool Reconnect();
  void Greet();
  void SendError(const std::string& id);
  bool HasBytesForServer() const { return !to_server_.empty(); }

  const std::string base_;
  const std::string executable_;
  UniqueFd server_;
  bool is_over_ = false;      // the client has said its last word
  bool was_polite_ = false;   // the server said that it would end
  bool may_skip_in_ = false;  // in the middle of a line that is too long
  int losses_ = 0;            // connections that ended, since an answer came
  std::string from_client_;   // without a newline yet
  std::string from_server_;
  std::deque<std::string> to_server_;  // whole lines or pieces of long ones
  size_t sent_ = 0;                    // bytes of the first
  std::string last_sent_;              // the line before it
  std::string to_client_;
  std::set<std::string> pending_;        // ids that the client waits for
  std::vector<std::string> agreements_;  // lines to say again
  std::multiset<std::string> unwanted_;  // ids of answers to those
};

}  // namespace glasstty::relay

// The socket of the shared server. There is one server at a time, and only this
// user may connect.
//
// Takes the lock of the state directory first, so that at most one server
// listens there and a stale socket file can be replaced. If systemd passes a
// listening socket (sd_listen_fds(3)), that one is used, and its file is left
// to systemd. Owns the socket, its file and the lock. Loop thread only.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "base/fd.h"

namespace glasstty::serve {

class Listener {
 public:
  // Clients that have connected and were not accepted yet.
  static constexpr int kBacklog = 64;

  // Error: AlreadyExists when a server runs here (with its process id), or what
  // could not be made.
  static absl::StatusOr<Listener> Open(const std::string& base);
  Listener(Listener&&) = default;
  ~Listener() { Close(); }

  // For polling; non-blocking.
  int fd() const { return socket_.get(); }
  // A non-blocking connection of this user; invalid with errno. EPERM: somebody
  // else's, which was refused.
  UniqueFd Accept();
  // Nobody can connect any more. The lock stays until the end of the process,
  // which is when the sessions are free.
  void Close();

 private:
  Listener(UniqueFd directory, UniqueFd lock)
      : directory_(std::move(directory)), lock_(std::move(lock)) {}
  absl::Status Bind();

  UniqueFd directory_;
  UniqueFd lock_;
  UniqueFd socket_;
  bool is_file_ours_ = false;
};

}  // namespace glasstty::serve

// The socket of the shared server. There is one server at a time, and only this
// user may connect.
//
// Takes the lock of the state directory first, so that at most one server
// listens there and a stale socket file can be replaced. If systemd passes a
// listening socket (sd_listen_fds(3)), uses that socket and leaves its file to
// systemd. Owns the socket, its file and the lock. Loop thread only.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "base/fd.h"

namespace glasstty::serve {

class Listener {
 public:
  // The number of clients that may wait to be accepted.
  static constexpr int kBacklog = 64;

  // Fails with AlreadyExists (and the process id) if a server runs for this
  // directory, or with another error if its files or the socket cannot be used.
  static absl::StatusOr<Listener> Open(const std::string& base);
  Listener(Listener&&) = default;
  Listener& operator=(Listener&&) = default;
  ~Listener() { Close(); }

  // The non-blocking socket, for polling.
  int fd() const { return socket_.get(); }
  // Returns a non-blocking connection of this user, or an invalid descriptor
  // with errno, which is EPERM if a connection of another user was refused.
  UniqueFd Accept();
  // Listens in `base` again, after the socket, the lock or their directory was
  // deleted. Errors are those of Open; this object then stays as it was, except
  // that it may have a new lock.
  absl::Status Renew(const std::string& base);
  // Returns true if clients of the state directory `base` still find the
  // socket, and other servers still find the lock. Always true for a socket
  // from systemd.
  bool IsReachable(const std::string& base) const;
  // Returns false if the socket is from systemd, which starts another server
  // when the next client connects.
  bool is_own() const { return is_file_ours_; }
  // Stops listening, but keeps the lock, because another server can adopt the
  // sessions only once this process has ended.
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

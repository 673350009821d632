// A unix socket in a directory, to which only this user can connect.
//
// Owns the listening socket and its name in the directory. Borrows the
// directory. Holder thread only.
#pragma once

#include <sys/socket.h>

#include "base/fd.h"

namespace glasstty::holder {

class Listener {
 public:
  // `name` must be a literal: its pointer is kept. `type` is as in socket(2).
  Listener(int dir_fd, const char* name, int type = SOCK_SEQPACKET)
      : dir_fd_(dir_fd), name_(name), type_(type) {}

  // Creates the socket with mode 0600. Returns false with errno on failure.
  bool Listen();
  // Removes the socket.
  void Stop();
  // The descriptor for poll(2); -1 if the socket does not listen.
  int fd() const { return socket_.get(); }

  // Accepts a connection of this user. Returns an invalid descriptor if no
  // connection waits, or if it was another user's.
  UniqueFd Accept();

 private:
  const int dir_fd_;
  const char* const name_;
  const int type_;
  UniqueFd socket_;
};

}  // namespace glasstty::holder

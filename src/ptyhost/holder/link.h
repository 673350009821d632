// The holder's side of the control connection: at most one server at a time.
//
// Owns the connection and the listening socket `ctl`. Holder thread only.
#pragma once

#include <utility>

#include "base/fd.h"
#include "holder/connection.h"
#include "holder/listener.h"
#include "wire/session_files.h"

namespace glasstty::holder {

class Link : public Connection {
 public:
  // `dir_fd` is borrowed.
  Link(int dir_fd, UniqueFd first_server)
      : Connection(std::move(first_server)),
        listener_(dir_fd, wire::kControlName) {}

  // Creates `ctl`. Returns false with errno on failure.
  bool Listen() { return listener_.Listen(); }
  // Removes `ctl`.
  void StopListening() { listener_.Stop(); }
  int listen_fd() const { return listener_.fd(); }

  // Accepts a waiting connection, which becomes the server's if there is no
  // server. Otherwise sends Busy and closes it. Also closes connections of
  // other users.
  void Accept();

 private:
  Listener listener_;
};

}  // namespace glasstty::holder

// The observers of a session on another machine, at the near end.
//
// Owns the socket `watch` and the connections on it. Each observer has a `part`
// (frames.h), from 1 on. The session handles the packets. Borrows the
// directory. Relay thread only.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "holder/connection.h"
#include "holder/listener.h"
#include "wire/session_files.h"

namespace glasstty::far {

class NearObservers {
 public:
  explicit NearObservers(int directory)
      : listener_(directory, wire::kWatchName) {}

  // Creates `watch`. Returns false with errno on failure.
  bool Listen() { return listener_.Listen(); }
  int listen_fd() const { return listener_.fd(); }

  // Accepts a waiting connection. Closes it at once if `welcome` is false;
  // refuses it by Busy if there are too many observers.
  void Accept(bool welcome);
  // Returns the observer of `part`, or null if there is none.
  holder::Connection* at(size_t part) const;
  void Drop(size_t part);
  void DropAll();

 private:
  holder::Listener listener_;
  std::array<std::unique_ptr<holder::Connection>, wire::kMaxObservers> all_;
};

}  // namespace glasstty::far

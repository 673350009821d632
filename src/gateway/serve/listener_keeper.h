// Listens again when the state directory is deleted or moved while the server
// runs, as scripts that clean caches do. Otherwise no client could reach the
// server, `glasstty serve --stop` would not find it, and another one would
// start beside it. If another one was quicker, this server serves the clients
// that it has; then it ends, because nobody could end it any more.
//
// The kernel reports the deletion (inotify(7)), so it costs nothing while
// nothing happens. If inotify is unavailable, it does nothing. Borrows the loop
// and the guests, which must outlive it. Loop thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/fd.h"
#include "serve/guests.h"
#include "support/loop.h"

namespace glasstty::serve {

class ListenerKeeper {
 public:
  // `make_base` creates the state directory again; `end` begins the end of the
  // server.
  ListenerKeeper(Loop* loop, std::string base, Guests* guests,
                 std::function<void()> make_base, std::function<void()> end);
  ListenerKeeper(const ListenerKeeper&) = delete;
  ListenerKeeper& operator=(const ListenerKeeper&) = delete;

  // Returns whether another server listens in place of this one.
  bool is_replaced() const { return is_replaced_; }
  // Call when a client has come or gone.
  void Check();

 private:
  void Watch();
  // Handles the report that something was deleted or moved.
  void Hear();
  // Returns whether the state directory is the one that is watched.
  bool IsBaseThere() const;
  // Listens again if nobody can connect any more.
  void Look();

  // Borrowed.
  Loop* const loop_;
  Guests* const guests_;
  // Constant.
  const std::string base_;
  const std::function<void()> make_base_;
  const std::function<void()> end_;
  // Owned. The watch is destroyed before its descriptor.
  UniqueFd inotify_;
  std::optional<FdWatch> heard_;
  // Keeps the number of the directory from being used again.
  UniqueFd watched_;
  Timer timer_;
  // State.
  Time settled_{};       // whoever deletes the directory is done by then
  std::string trouble_;  // why it cannot listen; "": it listens
  bool is_replaced_ = false;
};

}  // namespace glasstty::serve

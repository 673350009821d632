// Listens again when the state directory is deleted or moved while the server
// runs, as scripts that clean caches do. Otherwise no client could reach the
// server, `glasstty serve --stop` would not find it, and another one would
// start beside it.
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
  // `make_base` creates the state directory again.
  ListenerKeeper(Loop* loop, std::string base, Guests* guests,
                 std::function<void()> make_base);
  ListenerKeeper(const ListenerKeeper&) = delete;
  ListenerKeeper& operator=(const ListenerKeeper&) = delete;

 private:
  void Watch();
  // Handles the report that something was deleted or moved.
  void Hear();
  // Listens again if nobody can connect any more.
  void Look();

  // Borrowed.
  Loop* const loop_;
  Guests* const guests_;
  // Constant.
  const std::string base_;
  const std::function<void()> make_base_;
  // Owned. The watch is destroyed before its descriptor.
  UniqueFd inotify_;
  std::optional<FdWatch> heard_;
  Timer timer_;
};

}  // namespace glasstty::serve

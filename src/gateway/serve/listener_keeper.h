// Listens again when the state directory is deleted or moved while the server
// runs, for example by a cleaning script. Otherwise no client could reach the
// server, `glasstty serve --stop` would not find it, and another server would
// start beside it. If another server already listens, this one serves its
// present clients and then ends, because no command could end it any more.
//
// The kernel reports a deletion (inotify(7)), so no polling is needed. Does
// nothing if inotify is unavailable. Borrows the loop and the guests, which
// must outlive it. Loop thread only.
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
  // `make_base` creates the state directory again; `end` starts to shut the
  // server down.
  ListenerKeeper(Loop* loop, std::string base, Guests* guests,
                 std::function<void()> make_base, std::function<void()> end);
  ListenerKeeper(const ListenerKeeper&) = delete;
  ListenerKeeper& operator=(const ListenerKeeper&) = delete;

  // Returns true if another server listens in place of this one.
  bool is_replaced() const { return is_replaced_; }
  // Must be called whenever a client has been added or removed.
  void Check();

 private:
  void Watch();
  // Handles the kernel's report of a deletion or move.
  void Hear();
  // Returns true if the path of the state directory leads to the watched one.
  bool IsBaseThere() const;
  // Listens again if clients cannot connect any more.
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
  // Keeps the inode number of the directory from being reused.
  UniqueFd watched_;
  Timer timer_;
  // State.
  Time settled_{};       // the deletion is presumably complete at this time
  std::string trouble_;  // why it cannot listen; "" if it listens
  bool is_replaced_ = false;
};

}  // namespace glasstty::serve

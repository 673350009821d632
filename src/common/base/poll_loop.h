// An event loop around poll(2), for processes that do not link libevent.
//
// The caller registers all its descriptors again before each turn, so the set
// always matches the caller's present state. Owns neither the descriptors,
// which handlers may close, nor the objects that handlers refer to, which must
// outlive the turn. Single-threaded.
#pragma once

#include <poll.h>

#include <concepts>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/clock.h"

namespace glasstty {

class PollLoop {
 public:
  // Watches `fd` during the next turn. If `events` is 0, only a hang-up or an
  // error counts. Ignores a negative `fd`. `handler` gets the events that have
  // happened, as poll(2) reports them. It may capture at most two pointers or
  // numbers: std::function allows more, but would add 6 kB to glasstty-holder.
  template <std::invocable<short> Handler>
  void Watch(int fd, int events, const Handler& handler) {
    static_assert(sizeof(Handler) <= sizeof Watched::captured &&
                  std::is_trivially_copyable_v<Handler>);
    Watched watched{.call = [](const void* captured, short happened) {
      (*static_cast<const Handler*>(captured))(happened);
    }};
    std::memcpy(watched.captured, &handler, sizeof handler);
    Add(fd, events, watched);
  }

  // Waits until a watched descriptor is ready, or until `limit` (Time::max():
  // without a limit). Then calls the handlers of the ready descriptors, in the
  // order in which Watch was called, and stops watching all descriptors.
  // Returns the number of ready descriptors, or -1 with errno.
  int Turn(Time limit);
  // The time at which the last turn stopped waiting.
  Time woke() const { return woke_; }

  static int Events(bool read, bool write) {
    return (read ? POLLIN : 0) | (write ? POLLOUT : 0);
  }

 private:
  struct Watched {
    void (*call)(const void* captured, short events);
    alignas(void*) char captured[2 * sizeof(void*)];
  };

  void Add(int fd, int events, const Watched& watched);

  std::vector<pollfd> set_;
  std::vector<Watched> watched_;  // one for each element of set_
  Time woke_;
};

}  // namespace glasstty

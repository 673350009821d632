// Cancels a request, and wakes the code that waits on its behalf.
//
// The request (mcp/) owns its Cancellation. Waiters borrow it and must
// unregister before it is destroyed. Loop thread only.
#pragma once

#include <functional>
#include <utility>

namespace glasstty {

class Cancellation {
 public:
  bool cancelled() const { return cancelled_; }

  // Sets the listener, which Cancel calls once; nullptr removes it. There is at
  // most one listener, because a coroutine waits in one place at a time.
  void Listen(std::function<void()> listener) {
    listener_ = std::move(listener);
  }

  void Cancel() {
    if (cancelled_) return;
    cancelled_ = true;
    if (auto listener = std::exchange(listener_, nullptr)) listener();
  }

 private:
  bool cancelled_ = false;
  std::function<void()> listener_;
};

// Returns false if there is no Cancellation.
inline bool IsCancelled(const Cancellation* cancellation) {
  return cancellation != nullptr && cancellation->cancelled();
}

}  // namespace glasstty

// Decides which call may type into a session: one at a time, in the order of
// arrival. The same call may take the turn several times.
//
// A value that belongs to the session and identifies callers by an address.
// Waiting for the turn is in typing/turn.h. Loop thread only.
#pragma once

#include <algorithm>
#include <deque>

namespace glasstty::session {

class TypingTurn {
 public:
  using Caller = const void*;

  // Returns true if `caller` now has the turn. Each true needs a Release.
  bool Take(Caller caller) {
    bool is_next =
        depth_ == 0 && (waiting_.empty() || waiting_.front() == caller);
    if (!is_next && !IsHeldBy(caller)) return false;
    if (is_next && !waiting_.empty()) waiting_.pop_front();
    holder_ = caller;
    ++depth_;
    return true;
  }
  // Returns true if others may take the turn now. REQUIRES: the turn is taken.
  bool Release() {
    if (--depth_ > 0) return false;
    holder_ = nullptr;
    return true;
  }

  // Queues `caller` until it takes the turn or gives up.
  void Wait(Caller caller) { waiting_.push_back(caller); }
  void GiveUp(Caller caller) {
    waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), caller),
                   waiting_.end());
  }
  // Returns whether Take would succeed.
  bool IsFreeFor(Caller caller) const {
    if (depth_ > 0) return holder_ == caller;
    return waiting_.empty() || waiting_.front() == caller;
  }

  bool IsHeldBy(Caller caller) const { return depth_ > 0 && holder_ == caller; }
  bool IsAwaitedBy(Caller caller) const {
    return std::find(waiting_.begin(), waiting_.end(), caller) !=
           waiting_.end();
  }

 private:
  Caller holder_ = nullptr;
  int depth_ = 0;
  std::deque<Caller> waiting_;
};

}  // namespace glasstty::session

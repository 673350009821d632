// Which call may type into a session: one at a time, in the order in which they
// arrived. The same call may take the turn several times.
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

  // True when `caller` has the turn now. Each true needs a Release.
  bool Take(Caller caller) {
    bool is_next =
        depth_ == 0 && (waiting_.empty() || waiting_.front() == caller);
    if (!is_next && !IsHeldBy(caller)) return false;
    if (is_next && !waiting_.empty()) waiting_.pop_front();
    holder_ = caller;
    ++depth_;
    return true;
  }
  // REQUIRES: taken. True when somebody else may have it now.
  bool Release() {
    if (--depth_ > 0) return false;
    holder_ = nullptr;
    return true;
  }

  // Stands in line, until it takes the turn or gives up.
  void Wait(Caller caller) { waiting_.push_back(caller); }
  void GiveUp(Caller caller) {
    waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), caller),
                   waiting_.end());
  }
  // Take would succeed.
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

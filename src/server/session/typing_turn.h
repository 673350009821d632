// Decides which call may type into a session: one at a time, in the order of
// arrival. A call that has the turn may take it again. A call that runs a
// command also reserves the shell, for longer than it types (the run slot).
//
// Identifies callers by addresses. The address of this object stands for a call
// of another server. Waiting for the turn is in typing/turn.h. Borrows the link
// to the holder, which must outlive this object. Loop thread only.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>

#include "session/holder_link.h"
#include "wire/messages.h"

namespace glasstty::session {

class TypingTurn {
 public:
  using Caller = const void*;

  // `released` is called when another call may type or run a command.
  TypingTurn(HolderLink* link, std::function<void()> released)
      : link_(link), released_(std::move(released)) {}

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
  // Undoes one Take. Returns true if the caller no longer has the turn.
  // REQUIRES: the turn is taken.
  bool Release() {
    if (--depth_ > 0) return false;
    holder_ = nullptr;
    LendIfFree();
    released_();
    return true;
  }

  // Queues `caller` until it takes the turn or gives up.
  void Wait(Caller caller) { waiting_.push_back(caller); }
  // `caller` no longer waits for the turn.
  void GiveUp(Caller caller) {
    std::erase(waiting_, caller);
    LendIfFree();
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

  // A call of another server wants the keyboard. It waits for its turn like
  // other calls, is then lent the keyboard, and has the turn until TakeBack.
  void Lend() {
    if (IsHeldBy(this) || IsAwaitedBy(this)) return;
    Wait(this);
    LendIfFree();
  }
  void TakeBack() {
    if (IsHeldBy(this)) Release();
  }
  // The connection over which the other server's call asked is gone, or the
  // connection to the session's machine.
  void Withdraw() {
    std::erase(waiting_, this);
    TakeBack();
  }

  bool run_slot_taken() const { return run_slot_taken_; }
  // Reserves the shell for a command. Returns false if it is reserved already.
  bool TakeRunSlot() { return !std::exchange(run_slot_taken_, true); }
  void ReleaseRunSlot() {
    run_slot_taken_ = false;
    released_();
  }

 private:
  void LendIfFree() {
    if (IsAwaitedBy(this) && Take(this)) link_->Send(wire::Lend{});
  }

  HolderLink* const link_;  // borrowed
  const std::function<void()> released_;
  Caller holder_ = nullptr;
  int depth_ = 0;
  std::deque<Caller> waiting_;
  bool run_slot_taken_ = false;
};

}  // namespace glasstty::session

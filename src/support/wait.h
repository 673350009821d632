// Waiting for a session, which is all that a tool's coroutine ever waits for.
//
// A Wait lives in the awaiting coroutine's frame. Each session owns a
// WaiterList and calls Check whenever anything about it changed; a Wait is on
// the lists of all sessions it watches and leaves them when it wakes, exactly
// once. Predicates are cheap and must not change the session. Loop thread
// only; the sessions outlive the wait because the coroutine holds SessionRefs.
#pragma once

#include <coroutine>
#include <functional>
#include <vector>

#include "support/cancellation.h"
#include "support/loop.h"

namespace glasstty {

enum class Outcome {
  kMet,        // the predicate holds
  kTimeout,    // the deadline passed first; an answer, not an error
  kClosed,     // the session was taken away (server shutdown, forgotten)
  kCancelled,  // the client cancelled the request
};

// What a predicate says. Converts from bool.
struct Verdict {
  bool met = false;
  // When to look again though nothing may have happened by then (quiet time).
  Time again = Time::max();

  Verdict(bool is_met) : met(is_met) {}  // NOLINT: meant to be implicit
  Verdict(bool is_met, Time look_again) : met(is_met), again(look_again) {}
};
using Predicate = std::function<Verdict()>;

class Wait;
class Watch;

// The waits that watch one session.
class WaiterList {
 public:
  // Looks at every predicate; those that hold are woken.
  void Check();
  // Wakes every wait, whatever its predicate says.
  void WakeAll(Outcome outcome);
  // Nobody looks.
  bool empty() const { return waits_.empty() && watches_.empty(); }
  size_t size() const { return waits_.size(); }

 private:
  friend class Wait;
  friend class Watch;
  // Borrowed: each is in its coroutine's frame and takes itself off.
  std::vector<Wait*> waits_;
  std::vector<Watch*> watches_;
};

// Looks along at every change of a session while it lives, and wakes nobody:
// for what must not be missed while its coroutine waits for something else.
class Watch {
 public:
  // `look` must not make or end a Watch.
  Watch(WaiterList* list, std::function<void()> look);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  friend class WaiterList;

  WaiterList* const list_;  // borrowed
  const std::function<void()> look_;
};

// Awaitable: `Outcome o = co_await Wait(...)`. `cancellation` may be null.
class Wait {
 public:
  Wait(Loop* loop, std::vector<WaiterList*> lists, Predicate predicate,
       Time deadline, Cancellation* cancellation);
  ~Wait();
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  bool await_ready();
  void await_suspend(std::coroutine_handle<> handle);
  Outcome await_resume() const { return outcome_; }

 private:
  friend class WaiterList;

  // Asks the predicate and wakes, or sets the timer for the next look.
  void Look();
  // REQUIRES: suspended. Once only: it leaves all lists.
  void Wake(Outcome outcome);

  // Borrowed.
  Loop* const loop_;
  const std::vector<WaiterList*> lists_;
  Cancellation* const cancellation_;
  // Constant.
  const Predicate predicate_;
  // Time::max(): none.
  const Time deadline_;
  // State.
  Timer timer_;
  std::coroutine_handle<> handle_;
  Outcome outcome_ = Outcome::kMet;
};

}  // namespace glasstty

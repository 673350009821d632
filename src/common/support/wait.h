// Makes a tool's coroutine wait until something about a session changes, or
// until the lookout (lookout/lookout.h) reports an event.
//
// A Wait lives in the frame of the coroutine that awaits it. The lookout and
// each session own a WaiterList, and call WaiterList::Check whenever anything
// about them has changed. A Wait is on all lists that it was given until it
// wakes, which happens exactly once. Predicates must be cheap and must not
// change the session. Loop thread only; the sessions outlive the Wait because
// the coroutine holds SessionRefs.
#pragma once

#include <coroutine>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/cancellation.h"
#include "support/loop.h"

namespace glasstty {

enum class Outcome {
  kMet,        // the predicate holds
  kTimeout,    // the deadline passed first; a result, not an error
  kClosed,     // the session is gone (server shutdown, or forgotten)
  kCancelled,  // the client cancelled the request
};

// The reason why a condition is met, in the words of a reply. `word` and
// `detail` are empty if no reply shows the reason.
struct Reason {
  // The origin of the detail, which decides how a reply shows the detail.
  enum class Detail {
    kText,    // text of the session (the matched line), shown as the match
    kFact,    // from elsewhere (who listens), shown as the match and in a note
    kRemark,  // our own words, shown in a note
  };
  std::string_view word;  // a literal: "matched", "quiet", "exited", ...
  std::string detail;
  Detail kind = Detail::kText;
};

// The result of checking a condition once. Converts from bool and from Reason.
struct Look {
  // Null while the condition is not met.
  std::optional<Reason> reason;
  // When to check again if nothing changes before (used for quiet time).
  Time again = Time::max();

  Look(bool is_met, Time look_again = Time::max())  // NOLINT: implicit
      : again(look_again) {
    if (is_met) reason.emplace();
  }
  Look(Reason why) : reason(std::move(why)) {}  // NOLINT: implicit
  bool met() const { return reason.has_value(); }
};
using Predicate = std::function<Look()>;

class Wait;
class Watch;

// The Wait and Watch objects that are registered with one session, or with the
// lookout.
class WaiterList {
 public:
  // Calls every Watch, evaluates every predicate, and wakes the waits whose
  // predicates hold or whose deadlines have passed.
  void Check();
  // Wakes every wait without evaluating its predicate.
  void WakeAll(Outcome outcome);
  // Returns true if there is neither a Wait nor a Watch.
  bool empty() const { return waits_.empty() && watches_.empty(); }
  size_t size() const { return waits_.size(); }

 private:
  friend class Wait;
  friend class Watch;
  // Borrowed. Each object removes itself from these lists.
  std::vector<Wait*> waits_;
  std::vector<Watch*> watches_;
};

// Calls `look` at every change of a session, but wakes no coroutine. With a
// Watch, a coroutine notices one kind of event while it waits for another kind.
class Watch {
 public:
  // `look` must not create or destroy a Watch.
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

  // Evaluates the predicate, then wakes or sets the timer for the next check.
  void Check();
  // Queues the coroutine, and removes the Wait from all lists. REQUIRES: the
  // coroutine is suspended in this Wait.
  void Wake(Outcome outcome);

  // Borrowed.
  Loop* const loop_;
  const std::vector<WaiterList*> lists_;
  Cancellation* const cancellation_;
  // Constant.
  const Predicate predicate_;
  // Time::max() means that there is no deadline.
  const Time deadline_;
  // State.
  Timer timer_;
  std::coroutine_handle<> handle_;
  Outcome outcome_ = Outcome::kMet;
};

}  // namespace glasstty

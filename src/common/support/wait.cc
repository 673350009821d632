// This file ensures that a wait is woken exactly once.
//
// A sleeping Wait is on all its lists, listens for its cancellation and has a
// timer. The first of these to fire calls Wake, which removes the Wait from all
// of them before it queues the coroutine. Afterwards nothing can wake the Wait
// again, and the frame that contains it stays alive until the loop resumes the
// coroutine.
//
// A change of a session only causes the predicate to be evaluated. The timer
// serves the deadline and conditions that time alone fulfils (Look::again).
#include "support/wait.h"

#include <algorithm>
#include <utility>

namespace glasstty {

void WaiterList::Check() {
  for (Watch* watch : watches_) watch->look_();
  // This is a copy, because waking removes a wait from the list.
  std::vector<Wait*> waits = waits_;
  for (Wait* wait : waits) {
    // A wait that names a session twice is on the list twice. Waking it removes
    // both entries.
    bool still_here =
        std::find(waits_.begin(), waits_.end(), wait) != waits_.end();
    if (still_here) wait->Check();
  }
}

void WaiterList::WakeAll(Outcome outcome) {
  while (!waits_.empty()) waits_.back()->Wake(outcome);
}

Watch::Watch(WaiterList* list, std::function<void()> look)
    : list_(list), look_(std::move(look)) {
  list_->watches_.push_back(this);
}

Watch::~Watch() { std::erase(list_->watches_, this); }

Wait::Wait(Loop* loop, std::vector<WaiterList*> lists, Predicate predicate,
           Time deadline, Cancellation* cancellation)
    : loop_(loop),
      lists_(std::move(lists)),
      cancellation_(cancellation),
      predicate_(std::move(predicate)),
      deadline_(deadline),
      timer_(loop, [this] { Check(); }) {}

Wait::~Wait() = default;

// Returns true if the condition is met already or the request is cancelled. The
// coroutine then continues without a turn of the loop.
bool Wait::await_ready() {
  if (cancellation_ != nullptr && cancellation_->cancelled()) {
    outcome_ = Outcome::kCancelled;
    return true;
  }
  return predicate_().met();
}

// The final Check catches a condition or a deadline that was met before the
// Wait joined the lists.
void Wait::await_suspend(std::coroutine_handle<> handle) {
  handle_ = handle;
  for (WaiterList* list : lists_) list->waits_.push_back(this);
  if (cancellation_ != nullptr) {
    cancellation_->Listen([this] { Wake(Outcome::kCancelled); });
  }
  Check();
}

// A predicate that holds at its deadline counts as met.
void Wait::Check() {
  Look look = predicate_();
  if (look.met()) {
    Wake(Outcome::kMet);
  } else if (loop_->Now() >= deadline_) {
    Wake(Outcome::kTimeout);
  } else if (Time next = std::min(deadline_, look.again); next != Time::max()) {
    timer_.Set(next);
  }
}

void Wait::Wake(Outcome outcome) {
  outcome_ = outcome;
  timer_.Clear();
  if (cancellation_ != nullptr) cancellation_->Listen(nullptr);
  for (WaiterList* list : lists_) std::erase(list->waits_, this);
  loop_->Resume(handle_);
}

}  // namespace glasstty

// How a wait is woken exactly once.
//
// A Wait that sleeps is on the list of every session it watches, listens for
// its cancellation and has a timer. Whatever comes first calls Wake, which
// takes it off everything before it queues the coroutine: nothing can wake it
// again, and the frame that holds it is alive until the loop resumes it.
//
// A session's change only leads to a look at the predicate. The timer serves
// the deadline and what time alone makes true (Verdict::again).
#include "support/wait.h"

#include <algorithm>
#include <utility>

namespace glasstty {

void WaiterList::Check() {
  for (Watch* watch : watches_) watch->look_();
  // A copy: waking takes a wait off the list.
  std::vector<Wait*> waits = waits_;
  for (Wait* wait : waits) {
    // A session named twice has its wait on the list twice; waking it takes
    // both off.
    bool still_here =
        std::find(waits_.begin(), waits_.end(), wait) != waits_.end();
    if (still_here) wait->Look();
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
      timer_(loop, [this] { Look(); }) {}

Wait::~Wait() = default;

// True when there is nothing to wait for; the coroutine goes on without a turn
// of the loop.
bool Wait::await_ready() {
  if (cancellation_ != nullptr && cancellation_->cancelled()) {
    outcome_ = Outcome::kCancelled;
    return true;
  }
  return predicate_().met;
}

// The last look catches what became true, or too late, before the lists were
// joined; Wake then only queues the coroutine.
void Wait::await_suspend(std::coroutine_handle<> handle) {
  handle_ = handle;
  for (WaiterList* list : lists_) list->waits_.push_back(this);
  if (cancellation_ != nullptr) {
    cancellation_->Listen([this] { Wake(Outcome::kCancelled); });
  }
  Look();
}

// A predicate that holds at its deadline counts as met.
void Wait::Look() {
  Verdict verdict = predicate_();
  if (verdict.met) {
    Wake(Outcome::kMet);
  } else if (loop_->Now() >= deadline_) {
    Wake(Outcome::kTimeout);
  } else if (Time next = std::min(deadline_, verdict.again);
             next != Time::max()) {
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

#include "session/wait.h"

#include <algorithm>
#include <utility>

namespace glasstty {

void WaiterList::Check() {
  // A copy: waking takes a wait off the list.
  std::vector<Wait*> waits = waits_;
  for (Wait* wait : waits) {
    bool still_here =
        std::find(waits_.begin(), waits_.end(), wait) != waits_.end();
    if (still_here) wait->Look();
  }
}

void WaiterList::WakeAll(Outcome outcome) {
  while (!waits_.empty()) waits_.back()->Wake(outcome);
}

Wait::Wait(Loop* loop, std::vector<WaiterList*> lists, Predicate predicate,
           Time deadline, Cancellation* cancellation)
    : loop_(loop),
      lists_(std::move(lists)),
      cancellation_(cancellation),
      predicate_(std::move(predicate)),
      deadline_(deadline),
      timer_(loop, [this] { Look(); }) {}

Wait::~Wait() = default;

bool Wait::await_ready() {
  if (cancellation_ != nullptr && cancellation_->cancelled()) {
    outcome_ = Outcome::kCancelled;
    return true;
  }
  return predicate_().met;
}

void Wait::await_suspend(std::coroutine_handle<> handle) {
  handle_ = handle;
  for (WaiterList* list : lists_) list->waits_.push_back(this);
  if (cancellation_ != nullptr) {
    cancellation_->Listen([this] { Wake(Outcome::kCancelled); });
  }
  Look();
}

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

#include "support/loop.h"

#include <event2/event.h>

#include <algorithm>
#include <utility>

#include "support/check.h"
#include "support/log.h"

namespace glasstty {
namespace {

// There is one priority for each Urgency; libevent serves lower numbers first.
constexpr int kPriorities = 3;

// A slice should take kBudget, so a slice that took longer than this was
// interrupted by other programs.
constexpr Duration kInterrupted = 2 * Loop::kBudget;
// Until kCareful after an interruption, kBulk work rests after each slice, if
// at least kCrowd Works of it are scheduled. The rest is kRestFactor times as
// long as the slice, whose length is clamped between kBudget and kLongestSlice.
constexpr Duration kCareful = std::chrono::seconds(10);
constexpr int kRestFactor = 16;
constexpr Duration kLongestSlice = 5 * Loop::kBudget;

// Aborts if libevent cannot create a base, because nothing works without one.
event_base* NewBase() {
  event_config* config = event_config_new();
  CHECK(config != nullptr);
  event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
  // Once kBudget is used up, libevent checks the descriptors before the next
  // callback of kFeed or kBulk. The number of callbacks has no limit (-1).
  timeval budget{
      0, std::chrono::duration_cast<std::chrono::microseconds>(Loop::kBudget)
             .count()};
  event_config_set_max_dispatch_interval(config, &budget, -1,
                                         static_cast<int>(Urgency::kFeed));
  event_base* base = event_base_new_with_config(config);
  event_config_free(config);
  CHECK(base != nullptr);
  CHECK(event_base_priority_init(base, kPriorities) == 0);
  return base;
}

// With `fd` -1, only timers and event_active trigger the event.
event* NewEvent(event_base* base, int fd, short what, Urgency urgency,
                event_callback_fn callback, void* self) {
  event* e = event_new(base, fd, what, callback, self);
  CHECK(e != nullptr);
  CHECK(event_priority_set(e, static_cast<int>(urgency)) == 0);
  return e;
}

timeval ToTimeval(Duration d) {
  if (d < Duration::zero()) d = Duration::zero();
  // Round up: a timer that fires a microsecond early would find nothing due.
  auto us = std::chrono::ceil<std::chrono::microseconds>(d).count();
  return {static_cast<time_t>(us / 1'000'000), us % 1'000'000};
}

}  // namespace

void Loop::FreeBase::operator()(event_base* base) const {
  event_base_free(base);
}
void Loop::FreeEvent::operator()(event* e) const { event_free(e); }

Loop::Loop(const Clock* clock)
    : clock_(clock),
      base_(NewBase()),
      queue_event_(NewEvent(
          base_.get(), -1, 0, Urgency::kProtocol,
          [](int, short, void* self) {
            static_cast<Loop*>(self)->DrainQueue();
          },
          this)),
      timer_event_(NewEvent(
          base_.get(), -1, 0, Urgency::kProtocol,
          [](int, short, void* self) {
            static_cast<Loop*>(self)->FireTimers();
          },
          this)),
      rest_(std::make_unique<Timer>(this, [this] { EndRest(); })) {}

Loop::~Loop() {
  if (registered_ > 0) {
    Warn("loop destroyed with %d registrations left", registered_);
  }
}

void Loop::Run() { event_base_loop(base_.get(), EVLOOP_NO_EXIT_ON_EMPTY); }
void Loop::Stop() { event_base_loopbreak(base_.get()); }

void Loop::RunReady() {
  for (bool idle = false; !idle;) {
    FireTimers();
    event_base_loop(base_.get(), EVLOOP_NONBLOCK);
    idle = queue_.empty() &&
           (timers_.empty() || timers_.begin()->first > Now()) &&
           event_base_get_num_events(base_.get(), EVENT_BASE_COUNT_ACTIVE) == 0;
  }
}

void Loop::Resume(std::coroutine_handle<> handle) {
  Post([handle] { handle.resume(); });
}

// libevent does not queue an event that is already active, so a burst of posts
// costs only one event.
void Loop::Post(std::function<void()> function) {
  queue_.push_back(std::move(function));
  event_active(queue_event_.get(), EV_TIMEOUT, 0);
}

void Loop::DrainQueue() {
  // Run only what is queued now: otherwise a coroutine that queues itself
  // repeatedly would starve the descriptors.
  for (size_t n = queue_.size(); n > 0; --n) {
    auto function = std::move(queue_.front());
    queue_.pop_front();
    function();
  }
  if (!queue_.empty()) event_active(queue_event_.get(), EV_TIMEOUT, 0);
}

// A single libevent timer serves all Timers: the map keeps the Timers in order,
// so setting one costs no system call.
void Loop::FireTimers() {
  Time now = Now();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    Timer* timer = timers_.begin()->second;
    timer->Clear();
    auto fired = timer->fired_;  // a copy, because it may destroy the timer
    fired();
  }
  ArmTimer();
}

// Sets the libevent timer for the earliest Timer; a time in the past fires in
// the next turn.
void Loop::ArmTimer() {
  if (timers_.empty()) {
    event_del(timer_event_.get());
    return;
  }
  timeval delay = ToTimeval(timers_.begin()->first - Now());
  event_add(timer_event_.get(), &delay);
}

// A process that exceeds its share of the processor must wait until all others
// have had their turns: 20 ms and more beside hundreds of busy programs.
// Requests to the process wait as long. A process that rests is woken at once,
// and meanwhile the programs whose output is not read block (measured by the
// benchmark "crowd, 200 floods").
void Loop::EndSlice(Duration took) {
  Time now = Now();
  if (took > kInterrupted) careful_until_ = now + kCareful;
  if (!IsCrowded()) return;
  rest_->SetAfter(kRestFactor * std::clamp(took, kBudget, kLongestSlice));
}

void Loop::Rest(Work* work) {
  bool is_known =
      std::find(resting_.begin(), resting_.end(), work) != resting_.end();
  if (!is_known) resting_.push_back(work);
}

void Loop::EndRest() {
  for (Work* work : std::exchange(resting_, {})) work->Schedule();
}

FdWatch::FdWatch(Loop* loop, int fd, Direction direction, Urgency urgency,
                 std::function<void()> ready)
    : loop_(loop),
      ready_(std::move(ready)),
      event_(NewEvent(
          loop->base_.get(), fd,
          (direction == Direction::kRead ? EV_READ : EV_WRITE) | EV_PERSIST,
          urgency, &FdWatch::OnEvent, this)) {
  ++loop_->registered_;
  Enable(true);
}

FdWatch::~FdWatch() { --loop_->registered_; }

void FdWatch::Enable(bool enabled) {
  if (enabled == enabled_) return;
  enabled_ = enabled;
  if (enabled) {
    event_add(event_.get(), nullptr);
  } else {
    event_del(event_.get());
  }
}

void FdWatch::OnEvent(int, short, void* self) {
  // This is a copy, because the function may destroy the watch, which owns it.
  auto ready = static_cast<FdWatch*>(self)->ready_;
  ready();
}

SignalWatch::SignalWatch(Loop* loop, int signal, std::function<void()> arrived)
    : loop_(loop),
      arrived_(std::move(arrived)),
      event_(NewEvent(loop->base_.get(), signal, EV_SIGNAL | EV_PERSIST,
                      Urgency::kProtocol, &SignalWatch::OnEvent, this)) {
  ++loop_->registered_;
  event_add(event_.get(), nullptr);
}

SignalWatch::~SignalWatch() { --loop_->registered_; }

void SignalWatch::OnEvent(int, short, void* self) {
  auto arrived = static_cast<SignalWatch*>(self)->arrived_;
  arrived();
}

Timer::Timer(Loop* loop, std::function<void()> fired)
    : loop_(loop), fired_(std::move(fired)) {}

Timer::~Timer() { Clear(); }

void Timer::Set(Time when) {
  Clear();
  place_ = loop_->timers_.emplace(when, this);
  armed_ = true;
  if (place_ == loop_->timers_.begin()) loop_->ArmTimer();
}

void Timer::Clear() {
  // The libevent timer remains set. If it fires too early, FireTimers finds
  // nothing due and sets it again.
  if (armed_) loop_->timers_.erase(place_);
  armed_ = false;
}

Work::Work(Loop* loop, Urgency urgency, std::function<bool()> slice)
    : loop_(loop),
      urgency_(urgency),
      slice_(std::move(slice)),
      event_(
          NewEvent(loop->base_.get(), -1, 0, urgency, &Work::OnEvent, this)) {
  ++loop_->registered_;
}

Work::~Work() {
  SetScheduled(false);
  std::erase(loop_->resting_, this);
  --loop_->registered_;
}

// libevent queues the event after the active ones, so several Works take turns.
void Work::Schedule() {
  SetScheduled(true);
  event_active(event_.get(), EV_TIMEOUT, 0);
}

void Work::SetScheduled(bool scheduled) {
  if (std::exchange(scheduled_, scheduled) == scheduled) return;
  if (urgency_ == Urgency::kBulk) loop_->bulk_ += scheduled ? 1 : -1;
}

void Work::OnEvent(int, short, void* self) {
  auto* work = static_cast<Work*>(self);
  Loop* loop = work->loop_;
  bool is_bulk = work->urgency_ == Urgency::kBulk;
  if (is_bulk && loop->rest_->armed()) return loop->Rest(work);
  auto slice = work->slice_;
  Time began = loop->Now();
  work->SetScheduled(false);
  // The slice may destroy `work`, but not if it returns true.
  if (slice()) work->Schedule();
  if (is_bulk) loop->EndSlice(loop->Now() - began);
}

}  // namespace glasstty

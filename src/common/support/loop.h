// The event loop of a process: descriptors, timers, sliced work, coroutines.
//
// Owns the libevent base. The creator of a watch, timer or work owns it, and
// must destroy it before the loop. The loop's destructor reports leftover
// watches and work on stderr. Single-threaded.
//
// Rules worth keeping:
//   1. Every event has an explicit urgency. kProtocol is served strictly first,
//      so its callbacks must be short and bounded.
//   2. A slice of kFeed or kBulk work takes about kBudget at most, and another
//      slice follows if more work is left. After kBudget, libevent checks the
//      descriptors again. Without EVENT_BASE_FLAG_PRECISE_TIMER it would
//      measure the time in kernel ticks, which are longer than kBudget. If busy
//      programs compete for the processor, kBulk work rests (EndSlice).
//   3. A callback may destroy any watch, timer or work, including its own; but
//      a slice that returns true must not destroy its own Work.
//   4. Coroutines are resumed only from the loop's own queue (Resume), never
//      from inside a callback of an emulator or a descriptor.
#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/clock.h"

struct event;
struct event_base;

namespace glasstty {

// kBulk is for work that is not urgent: the output of floods.
enum class Urgency { kProtocol = 0, kFeed = 1, kBulk = 2 };

class Timer;
class Work;

class Loop {
 public:
  static constexpr Duration kBudget = std::chrono::microseconds(500);

  // `clock` must outlive the loop. With a ManualClock, RunReady fires the
  // timers that the clock has passed.
  explicit Loop(const Clock* clock);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  Time Now() const { return clock_->Now(); }

  // Serves events until Stop.
  void Run();
  void Stop();
  // Serves events until none is ready, and returns. For tests.
  void RunReady();

  // The event_base, for parts of libevent that need it (evhttp). Those parts
  // must be destroyed before the loop.
  event_base* base() const { return base_.get(); }

  // Returns true while kBulk work rests after each slice and is therefore slow.
  bool IsCrowded() const { return bulk_ >= kCrowd && Now() < careful_until_; }

  // Queues a coroutine; it continues before any kFeed work.
  void Resume(std::coroutine_handle<> handle);
  // Queues a function, which runs before any kFeed work, too.
  void Post(std::function<void()> function);
  // The number of queued coroutines and functions.
  size_t queued() const { return queue_.size(); }

 private:
  friend class FdWatch;
  friend class SignalWatch;
  friend class Timer;
  friend class Work;

  void DrainQueue();
  void FireTimers();
  // Called after each kBulk slice with its duration. If there is much kBulk
  // work and other processes compete for the processor, all kBulk work rests.
  void EndSlice(Duration took);
  void Rest(Work* work);
  void EndRest();
  void ArmTimer();

  struct FreeBase {
    void operator()(event_base* base) const;
  };
  struct FreeEvent {
    void operator()(event* e) const;
  };
  using EventPtr = std::unique_ptr<event, FreeEvent>;

  // Borrowed.
  const Clock* const clock_;
  // Owned.
  std::unique_ptr<event_base, FreeBase> base_;
  EventPtr queue_event_;
  EventPtr timer_event_;
  // State.
  std::deque<std::function<void()>> queue_;
  std::multimap<Time, Timer*> timers_;
  std::unique_ptr<Timer> rest_;  // no kBulk work runs while this is armed
  std::vector<Work*> resting_;   // continues when rest_ fires
  // kBulk work rests only if at least this many kBulk Works are scheduled.
  static constexpr int kCrowd = 8;
  int bulk_ = 0;        // the number of scheduled kBulk Works, resting or not
  Time careful_until_;  // kBulk work may rest until this time, because a slice
                        // was interrupted
  int registered_ = 0;
};

// Calls `ready` while `fd` is readable (or writable), unless disabled.
class FdWatch {
 public:
  enum class Direction { kRead, kWrite };
  FdWatch(Loop* loop, int fd, Direction direction, Urgency urgency,
          std::function<void()> ready);
  ~FdWatch();
  FdWatch(const FdWatch&) = delete;
  FdWatch& operator=(const FdWatch&) = delete;

  void Enable(bool enabled);

 private:
  static void OnEvent(int, short, void* self);

  Loop* const loop_;
  std::function<void()> ready_;
  Loop::EventPtr event_;
  bool enabled_ = false;
};

// Calls `arrived` for each delivered signal, from the loop.
class SignalWatch {
 public:
  SignalWatch(Loop* loop, int signal, std::function<void()> arrived);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  static void OnEvent(int, short, void* self);

  Loop* const loop_;
  std::function<void()> arrived_;
  Loop::EventPtr event_;
};

// Calls `fired` once for each Set, unless another Set or Clear comes first.
class Timer {
 public:
  Timer(Loop* loop, std::function<void()> fired);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void Set(Time when);
  void SetAfter(Duration delay) { Set(loop_->Now() + delay); }
  void Clear();
  bool armed() const { return armed_; }

 private:
  friend class Loop;

  Loop* const loop_;
  std::function<void()> fired_;
  std::multimap<Time, Timer*>::iterator place_;
  bool armed_ = false;
};

// Work that is done in slices. `slice` does a bounded part of the work, and
// returns true if more is left.
class Work {
 public:
  Work(Loop* loop, Urgency urgency, std::function<bool()> slice);
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // Runs a slice soon. Calling it again before the slice runs has no effect.
  void Schedule();

 private:
  static void OnEvent(int, short, void* self);

  // Also counts kBulk work in Loop::bulk_.
  void SetScheduled(bool scheduled);

  Loop* const loop_;
  const Urgency urgency_;
  std::function<bool()> slice_;
  Loop::EventPtr event_;
  bool scheduled_ = false;
};

}  // namespace glasstty

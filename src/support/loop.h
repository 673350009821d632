// The one loop of the server: descriptors, timers, sliced work, coroutines.
//
// Owns the libevent base. Watches, timers and work are owned by who makes
// them and must die before the loop; the loop says so on stderr if they do
// not. One thread.
//
// Worth not breaking:
//  1. Every event has an explicit urgency. kProtocol is served strictly first,
//     so what it does is short and bounded.
//  2. kFeed and kBulk work does at most about kBudget a turn and schedules
//     itself again: after kBudget libevent looks at the descriptors once more
//     (with the precise timer flag; else the budget lasts a kernel tick). Where
//     that is not enough because the machine is full of busy programs, kBulk
//     work rests (EndSlice).
//  3. A callback may destroy any watch, timer or work, its own included.
//  4. Coroutines are resumed from the loop's own queue only (Resume), never
//     from inside a callback of an emulator or a descriptor.
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

  // `clock` must outlive the loop. With a ManualClock, timers fire in RunReady
  // when the clock has passed them.
  explicit Loop(const Clock* clock);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  Time Now() const { return clock_->Now(); }

  // Serves events until Stop.
  void Run();
  void Stop();
  // Serves what is ready now, until nothing is, and returns. For tests and for
  // the last moments of the server.
  void RunReady();

  // For what libevent itself builds on a base (evhttp); it must die before the
  // loop.
  event_base* base() const { return base_.get(); }

  // While kBulk work rests after each slice: it will not be done soon.
  bool IsCrowded() const { return bulk_ >= kCrowd && Now() < careful_until_; }

  // Queues a coroutine; it goes on before any kFeed work.
  void Resume(std::coroutine_handle<> handle);
  // Queues a function to run from the top of the loop.
  void Post(std::function<void()> function);
  // How many of both wait for their turn.
  size_t queued() const { return queue_.size(); }

 private:
  friend class FdWatch;
  friend class SignalWatch;
  friend class Timer;
  friend class Work;

  void DrainQueue();
  void FireTimers();
  // A kBulk slice took so long: all such work rests when others want the
  // processor.
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
  std::unique_ptr<Timer> rest_;  // armed: no kBulk work runs
  std::vector<Work*> resting_;   // they go on when it fires
  // From so many on kBulk works rest.
  static constexpr int kCrowd = 8;
  int bulk_ = 0;        // scheduled, resting or not
  Time careful_until_;  // we were interrupted not long ago
  int registered_ = 0;
};

// Calls `ready` whenever `fd` is readable or writable.
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

// Fires once per Set. Setting again moves it.
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

// A piece of work that is done in slices. `slice` does a bounded part and
// returns true when there is more.
class Work {
 public:
  Work(Loop* loop, Urgency urgency, std::function<bool()> slice);
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // Runs a slice soon; more calls before that are one.
  void Schedule();

 private:
  static void OnEvent(int, short, void* self);

  // Keeps the loop's count of bulk work.
  void SetScheduled(bool scheduled);

  Loop* const loop_;
  const Urgency urgency_;
  std::function<bool()> slice_;
  Loop::EventPtr event_;
  bool scheduled_ = false;
};

}  // namespace glasstty

// Tests the loop: order, fairness, timers by hand, callbacks that destroy.
#include "support/loop.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"

namespace glasstty {
namespace {

using std::chrono::milliseconds;

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    in = UniqueFd(ends[0]);
    out = UniqueFd(ends[1]);
  }
  UniqueFd in, out;
};

class LoopTest : public testing::Test {
 protected:
  void Advance(Duration by) {
    clock_.Advance(by);
    loop_.RunReady();
  }

  ManualClock clock_;
  Loop loop_{&clock_};
  std::vector<std::string> log_;
};

TEST_F(LoopTest, FiresTimersInOrderAndNotBeforeTheirTime) {
  Timer b(&loop_, [&] { log_.push_back("b"); });
  Timer a(&loop_, [&] { log_.push_back("a"); });
  b.SetAfter(milliseconds(20));
  a.SetAfter(milliseconds(10));
  Advance(milliseconds(9));
  EXPECT_TRUE(log_.empty());
  Advance(milliseconds(1));
  EXPECT_EQ(log_, std::vector<std::string>{"a"});
  EXPECT_FALSE(a.armed());
  EXPECT_TRUE(b.armed());
  Advance(std::chrono::hours(72));
  EXPECT_EQ(log_, (std::vector<std::string>{"a", "b"}));
}

TEST_F(LoopTest, ATimerCanBeMovedAndCleared) {
  int fired = 0;
  Timer timer(&loop_, [&] { ++fired; });
  timer.SetAfter(milliseconds(10));
  timer.SetAfter(milliseconds(30));
  Advance(milliseconds(20));
  EXPECT_EQ(fired, 0);
  Advance(milliseconds(10));
  EXPECT_EQ(fired, 1);
  timer.SetAfter(milliseconds(10));
  timer.Clear();
  Advance(milliseconds(100));
  EXPECT_EQ(fired, 1);
}

TEST_F(LoopTest, ATimerMaySetItselfAgainOrDestroyItselfAndOthers) {
  int fired = 0;
  std::unique_ptr<Timer> victim;
  std::unique_ptr<Timer> timer;
  timer = std::make_unique<Timer>(&loop_, [&] {
    if (++fired < 3) {
      timer->SetAfter(milliseconds(10));
      return;
    }
    victim.reset();
    timer.reset();
  });
  victim = std::make_unique<Timer>(&loop_, [&] { log_.push_back("victim"); });
  timer->SetAfter(milliseconds(10));
  victim->SetAfter(milliseconds(30));
  for (int i = 0; i < 5; ++i) Advance(milliseconds(10));
  EXPECT_EQ(fired, 3);
  EXPECT_LE(log_.size(), 1u);
  EXPECT_EQ(timer, nullptr);
}

TEST_F(LoopTest, RunsPostedFunctionsInOrderAlsoThoseTheyPost) {
  loop_.Post([&] {
    log_.push_back("1");
    loop_.Post([&] { log_.push_back("3"); });
  });
  loop_.Post([&] { log_.push_back("2"); });
  loop_.RunReady();
  EXPECT_EQ(log_, (std::vector<std::string>{"1", "2", "3"}));
}

TEST_F(LoopTest, AFunctionThatKeepsPostingDoesNotShutOutDescriptors) {
  Pipe pipe;
  bool read = false;
  FdWatch watch(&loop_, pipe.in.get(), FdWatch::Direction::kRead,
                Urgency::kProtocol, [&] {
                  char byte;
                  read = ReadSome(pipe.in.get(), &byte, 1) == 1;
                });
  int turns = 0;
  std::function<void()> again = [&] {
    if (!read && ++turns < 1'000) loop_.Post(again);
  };
  loop_.Post(again);
  ASSERT_TRUE(WriteAll(pipe.out.get(), "x"));
  loop_.RunReady();
  EXPECT_TRUE(read);
  EXPECT_LT(turns, 1'000);
}

TEST_F(LoopTest, ServesProtocolBeforeFeeding) {
  Work feed(&loop_, Urgency::kFeed, [&] {
    log_.push_back("feed");
    return false;
  });
  Work protocol(&loop_, Urgency::kProtocol, [&] {
    log_.push_back("protocol");
    return false;
  });
  feed.Schedule();
  protocol.Schedule();
  loop_.RunReady();
  EXPECT_EQ(log_, (std::vector<std::string>{"protocol", "feed"}));
}

TEST_F(LoopTest, FeedingGivesWayToARequestThatArrives) {
  Pipe pipe;
  int slices = 0, slices_at_request = -1;
  Work feed(&loop_, Urgency::kFeed, [&] {
    if (++slices == 3) {
      EXPECT_TRUE(WriteAll(pipe.out.get(), "x"));
    }
    // Uses real time, to use up the loop's budget.
    Time until = MonotonicNow() + Loop::kBudget;
    while (MonotonicNow() < until) {
    }
    return slices < 50;
  });
  FdWatch watch(&loop_, pipe.in.get(), FdWatch::Direction::kRead,
                Urgency::kProtocol, [&] {
                  char byte;
                  (void)!ReadSome(pipe.in.get(), &byte, 1);
                  slices_at_request = slices;
                });
  feed.Schedule();
  loop_.RunReady();
  EXPECT_EQ(slices, 50);
  EXPECT_GE(slices_at_request, 3);
  EXPECT_LE(slices_at_request, 20);
}

// Schedules `count` works of one slice each; others interrupt the first.
class Crowd {
 public:
  Crowd(Loop* loop, ManualClock* clock, int count) {
    for (int i = 0; i < count; ++i) {
      works_.emplace_back(loop, Urgency::kBulk, [this, clock] {
        if (slices_++ == 0) clock->Advance(milliseconds(10));
        return false;
      });
      works_.back().Schedule();
    }
  }
  int slices() const { return slices_; }

 private:
  std::deque<Work> works_;
  int slices_ = 0;
};

TEST_F(LoopTest, ACrowdRestsForAWhileAfterASliceThatOthersInterrupted) {
  Crowd crowd(&loop_, &clock_, 10);
  loop_.RunReady();
  EXPECT_EQ(crowd.slices(), 1);
  Advance(milliseconds(39));
  EXPECT_EQ(crowd.slices(), 1);
  Advance(milliseconds(1));
  EXPECT_EQ(crowd.slices(), 2);
  // The crowd is gone.
  Advance(milliseconds(8));
  EXPECT_EQ(crowd.slices(), 10);
}

TEST_F(LoopTest, WhatIsNoFloodIsFedWhileACrowdRests) {
  Crowd crowd(&loop_, &clock_, 10);
  Work feed(&loop_, Urgency::kFeed, [&] {
    log_.push_back("line");
    return false;
  });
  loop_.RunReady();
  feed.Schedule();
  loop_.RunReady();
  EXPECT_EQ(log_, std::vector<std::string>{"line"});
  EXPECT_EQ(crowd.slices(), 1);
}

TEST_F(LoopTest, AFewFloodsDoNotRest) {
  Crowd crowd(&loop_, &clock_, 3);
  loop_.RunReady();
  EXPECT_EQ(crowd.slices(), 3);
}

TEST_F(LoopTest, SlicedWorkRunsUntilItSaysItIsDone) {
  int slices = 0;
  Work work(&loop_, Urgency::kFeed, [&] { return ++slices < 10; });
  work.Schedule();
  work.Schedule();
  loop_.RunReady();
  EXPECT_EQ(slices, 10);
}

TEST_F(LoopTest, WorkMayDestroyItself) {
  auto work = std::unique_ptr<Work>();
  work = std::make_unique<Work>(&loop_, Urgency::kFeed, [&] {
    work.reset();
    return false;
  });
  work->Schedule();
  loop_.RunReady();
  EXPECT_EQ(work, nullptr);
}

TEST_F(LoopTest, AWatchMayDestroyItselfAndItsNeighbour) {
  Pipe one, two;
  std::unique_ptr<FdWatch> a, b;
  int calls = 0;
  auto both = [&] {
    ++calls;
    a.reset();
    b.reset();
  };
  a = std::make_unique<FdWatch>(&loop_, one.in.get(), FdWatch::Direction::kRead,
                                Urgency::kProtocol, both);
  b = std::make_unique<FdWatch>(&loop_, two.in.get(), FdWatch::Direction::kRead,
                                Urgency::kProtocol, both);
  ASSERT_TRUE(WriteAll(one.out.get(), "x"));
  ASSERT_TRUE(WriteAll(two.out.get(), "x"));
  loop_.RunReady();
  EXPECT_EQ(calls, 1);
}

TEST_F(LoopTest, ADisabledWatchIsSilentUntilItIsEnabled) {
  Pipe pipe;
  int calls = 0;
  FdWatch watch(&loop_, pipe.in.get(), FdWatch::Direction::kRead,
                Urgency::kProtocol, [&] {
                  char byte;
                  if (ReadSome(pipe.in.get(), &byte, 1) == 1) ++calls;
                });
  watch.Enable(false);
  ASSERT_TRUE(WriteAll(pipe.out.get(), "x"));
  loop_.RunReady();
  EXPECT_EQ(calls, 0);
  watch.Enable(true);
  loop_.RunReady();
  EXPECT_EQ(calls, 1);
}

TEST_F(LoopTest, SeesSignals) {
  int calls = 0;
  SignalWatch watch(&loop_, SIGUSR1, [&] { ++calls; });
  raise(SIGUSR1);
  loop_.RunReady();
  EXPECT_EQ(calls, 1);
}

TEST(Loop, RunsOnRealTimeUntilItIsStopped) {
  MonotonicClock clock;
  Loop loop(&clock);
  Time start = clock.Now();
  Timer timer(&loop, [&] { loop.Stop(); });
  timer.SetAfter(milliseconds(20));
  loop.Run();
  EXPECT_GE(clock.Now() - start, milliseconds(20));
}

TEST(Loop, SaysWhatWasLeftBehind) {
  ManualClock clock;
  testing::internal::CaptureStderr();
  auto loop = std::make_unique<Loop>(&clock);
  // This is wrong on purpose. It is never freed, because its event dies with
  // the loop. Without volatile, the optimizer would drop the pointer and the
  // leak checker would report a leak.
  [[maybe_unused]] static Work* volatile left_behind;
  left_behind = new Work(loop.get(), Urgency::kFeed, [] { return false; });
  loop.reset();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("1 registration"),
            std::string::npos);
}

}  // namespace
}  // namespace glasstty

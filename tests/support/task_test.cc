// Tests coroutines: started, nested, suspended, cancelled.
#include "support/task.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/cancellation.h"
#include "support/loop.h"

namespace glasstty {
namespace {

// Suspends until Open; resumes through the loop.
struct Gate {
  explicit Gate(Loop* l) : loop(l) {}
  bool await_ready() { return open; }
  void await_suspend(std::coroutine_handle<> h) { handle = h; }
  void await_resume() {}
  void Open() {
    open = true;
    if (handle) loop->Resume(std::exchange(handle, nullptr));
  }

  Loop* loop;
  bool open = false;
  std::coroutine_handle<> handle;
};

class TaskTest : public testing::Test {
 protected:
  ManualClock clock_;
  Loop loop_{&clock_};
  Gate gate_{&loop_};
};

Task<int> Immediately(int value) { co_return value; }

Task<int> Through(Gate* gate, int value) {
  co_await *gate;
  co_return value;
}

Task<std::string> Nested(Gate* gate) {
  int a = co_await Immediately(1);
  int b = co_await Through(gate, 2);
  int c = co_await Immediately(3);
  co_return std::to_string(a + b + c);
}

TEST_F(TaskTest, RunsUntilItsFirstSuspensionAtOnce) {
  std::optional<int> result;
  Start(Immediately(7), [&](int v) { result = v; });
  EXPECT_EQ(result, 7);
}

TEST_F(TaskTest, GoesOnFromTheLoopAndNotInsideTheCallThatWokeIt) {
  std::optional<std::string> result;
  Start(Nested(&gate_), [&](std::string v) { result = std::move(v); });
  EXPECT_FALSE(result.has_value());
  gate_.Open();
  EXPECT_FALSE(result.has_value());
  loop_.RunReady();
  EXPECT_EQ(result, "6");
}

Task<std::unique_ptr<int>> MoveOnly() { co_return std::make_unique<int>(5); }

TEST_F(TaskTest, CarriesMoveOnlyResults) {
  std::unique_ptr<int> result;
  Start(MoveOnly(), [&](std::unique_ptr<int> v) { result = std::move(v); });
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(*result, 5);
}

TEST_F(TaskTest, OneThatIsNeverStartedFreesItsFrame) {
  auto alive = std::make_shared<int>(0);
  {
    auto hold = [](std::shared_ptr<int> p) -> Task<int> { co_return *p; };
    Task<int> task = hold(alive);
    EXPECT_EQ(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

Task<int> Deep(int depth) {
  if (depth == 0) co_return 0;
  co_return 1 + co_await Deep(depth - 1);
}

TEST_F(TaskTest, NestsDeeply) {
  std::optional<int> result;
  Start(Deep(1'000), [&](int v) { result = v; });
  EXPECT_EQ(result, 1'000);
}

TEST_F(TaskTest, ManyWaitAtOnceAndEndInAnyOrder) {
  std::vector<std::unique_ptr<Gate>> gates;
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    gates.push_back(std::make_unique<Gate>(&loop_));
    Start(Through(gates.back().get(), i), [&](int v) { order.push_back(v); });
  }
  for (int i = 99; i >= 0; --i) gates[static_cast<size_t>(i)]->Open();
  loop_.RunReady();
  ASSERT_EQ(order.size(), 100u);
  EXPECT_EQ(order.front(), 99);
  EXPECT_EQ(order.back(), 0);
}

TEST(Cancellation, TellsItsListenerOnce) {
  Cancellation cancellation;
  int calls = 0;
  cancellation.Listen([&] { ++calls; });
  cancellation.Cancel();
  cancellation.Cancel();
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(cancellation.cancelled());
}

TEST(Cancellation, AnUnhookedListenerIsNotCalled) {
  Cancellation cancellation;
  int calls = 0;
  cancellation.Listen([&] { ++calls; });
  cancellation.Listen(nullptr);
  cancellation.Cancel();
  EXPECT_EQ(calls, 0);
}

TEST(Cancellation, AListenerMayUnhookItself) {
  Cancellation cancellation;
  cancellation.Listen([&] { cancellation.Listen(nullptr); });
  cancellation.Cancel();
  EXPECT_TRUE(cancellation.cancelled());
}

}  // namespace
}  // namespace glasstty

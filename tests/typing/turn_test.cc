// Tests two calls that type into one session.
#include "typing/turn.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "testing/fake_holder.h"
#include "typing/input.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class TurnTest : public ::testing::Test {
 protected:
  TurnTest() { holder_.Answer(wire::Waiting::kRead); }
  // A frame that is never resumed is a leak.
  ~TurnTest() override {
    session_->Abandon();
    holder_.loop()->RunReady();
  }

  // The outcome of one call.
  struct Call {
    Cancellation cancellation;
    std::optional<Typed> typed;
  };

  void Type(Call* call, const std::vector<std::string>& texts) {
    std::vector<Step> steps;
    for (const std::string& text : texts) {
      steps.emplace_back();
      steps.back().text = text;
    }
    Start(TypeSteps(session_, std::move(steps), false, &call->cancellation),
          [call](Typed typed) { call->typed = std::move(typed); });
    holder_.loop()->RunReady();
  }

  void Settle(int rounds = 10) {
    for (int i = 0; i < rounds; ++i) {
      holder_.Consume();
      holder_.Advance(milliseconds(150));
    }
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open();
};

TEST_F(TurnTest, TheSecondCallTypesWhenTheFirstHasTypedAll) {
  Call first, second;
  Type(&first, {"a1", "a2", "a3"});
  Type(&second, {"b1", "b2"});
  EXPECT_EQ(holder_.typed(), "a1");
  Settle();
  EXPECT_EQ(holder_.typed(), "a1a2a3b1b2");
  ASSERT_TRUE(second.typed);
  EXPECT_EQ(second.typed->done, 2u);
}

TEST_F(TurnTest, ACallGivesUpAtItsOwnDeadlineButNotWithinASecond) {
  Cancellation first;
  std::optional<Turn> kept;
  Time never = Time::max();
  Start(TakeTurn(session_, &first, never),
        [&kept](absl::StatusOr<Turn> turn) { kept = *std::move(turn); });
  holder_.loop()->RunReady();
  ASSERT_TRUE(kept.has_value());
  struct Case {
    seconds asked, given;
  };
  for (const Case& row :
       {Case{seconds(0), seconds(1)}, Case{seconds(3), seconds(3)},
        Case{seconds(60), seconds(20)}}) {
    Cancellation cancellation;
    std::optional<absl::Status> status;
    Time deadline = holder_.loop()->Now() + row.asked;
    Start(TakeTurn(session_, &cancellation, deadline),
          [&status](absl::StatusOr<Turn> turn) { status = turn.status(); });
    holder_.Advance(row.given - milliseconds(10));
    EXPECT_FALSE(status.has_value());
    holder_.Advance(milliseconds(20));
    ASSERT_TRUE(status.has_value());
    std::string text = " for " + std::to_string(row.given.count()) + " s,";
    EXPECT_NE(status->message().find(text), std::string::npos) << *status;
  }
}

TEST_F(TurnTest, CallsComeInTheirOrder) {
  Call calls[4];
  const char* texts[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; ++i) Type(&calls[i], {texts[i], texts[i]});
  Settle(20);
  EXPECT_EQ(holder_.typed(), "aabbccdd");
}

TEST_F(TurnTest, ACancelledCallLeavesTheLine) {
  Call first, second, third;
  Type(&first, {"a1", "a2"});
  Type(&second, {"b"});
  Type(&third, {"c"});
  second.cancellation.Cancel();
  holder_.loop()->RunReady();
  ASSERT_TRUE(second.typed);
  EXPECT_TRUE(second.typed->cancelled);
  EXPECT_EQ(second.typed->stopped, "");
  Settle();
  EXPECT_EQ(holder_.typed(), "a1a2c");
}

TEST_F(TurnTest, ACancelledTypistGivesTheTurnBack) {
  Call first, second;
  Type(&first, {"a1", "a2"});
  Type(&second, {"b"});
  first.cancellation.Cancel();
  Settle();
  EXPECT_EQ(holder_.typed(), "a1b");
}

TEST_F(TurnTest, ACallThatIsCancelledWithTheOneBeforeItTypesNothing) {
  Call first, second, third;
  Type(&first, {"a1", "a2"});
  Type(&second, {"b"});
  Type(&third, {"c"});
  first.cancellation.Cancel();
  second.cancellation.Cancel();
  Settle();
  ASSERT_TRUE(second.typed);
  EXPECT_TRUE(second.typed->cancelled);
  EXPECT_EQ(second.typed->done, 0u);
  EXPECT_EQ(holder_.typed(), "a1c");
}

TEST_F(TurnTest, WhoWaitsTooLongIsToldAndTypesNothing) {
  auto turn = std::make_optional<Turn>();
  Call first, second, third;
  Start(TakeTurn(session_, &first.cancellation, Time::max()),
        [&turn](absl::StatusOr<Turn> taken) { turn = *taken; });
  Type(&second, {"b"});
  holder_.Advance(seconds(21));
  ASSERT_TRUE(second.typed);
  EXPECT_EQ(second.typed->done, 0u);
  EXPECT_NE(second.typed->stopped.find("another call has been typing"),
            std::string::npos)
      << second.typed->stopped;
  EXPECT_EQ(holder_.typed(), "");
  turn.reset();
  Type(&third, {"c"});
  EXPECT_EQ(holder_.typed(), "c");
  Settle();
}

TEST_F(TurnTest, ACallThatHasTheTurnNeedsNotWaitForIt) {
  Call call;
  Turn turn;
  Start(TakeTurn(session_, &call.cancellation, Time::max()),
        [&turn](absl::StatusOr<Turn> taken) { turn = *taken; });
  Type(&call, {"a"});
  EXPECT_EQ(holder_.typed(), "a");
  Settle();
}

TEST_F(TurnTest, TheEndOfTheSessionEndsTheLine) {
  Call first, second;
  Type(&first, {"a1", "a2"});
  Type(&second, {"b"});
  holder_.Exit(0);
  Settle();
  ASSERT_TRUE(first.typed);
  ASSERT_TRUE(second.typed);
  EXPECT_EQ(second.typed->done, 0u);
}

// Calls begin, wait and are cancelled in any order.
TEST_F(TurnTest, NoCallIsTornInAThousandInterleavings) {
  constexpr int kCalls = 1000;
  std::mt19937 random(20);
  std::vector<Call> calls(kCalls);
  std::vector<std::string> whole(kCalls);
  for (int i = 0; i < kCalls; ++i) {
    std::vector<std::string> texts;
    for (unsigned step = 0; step <= random() % 4; ++step) {
      texts.push_back("<" + std::to_string(i) + "." + std::to_string(step) +
                      ">");
      whole[i] += texts.back();
    }
    Type(&calls[i], texts);
    for (unsigned round = random() % 5; round > 0; --round) Settle(1);
  }
  while (!calls.back().typed) Settle(1);
  std::string expected;
  for (int i = 0; i < kCalls; ++i) {
    ASSERT_TRUE(calls[i].typed) << i;
    // Calls that waited in vain were told; half of a call is never typed.
    if (calls[i].typed->stopped.empty()) {
      expected += whole[i];
    } else {
      EXPECT_EQ(calls[i].typed->done, 0u) << i;
    }
  }
  EXPECT_EQ(holder_.typed(), expected);
}

}  // namespace
}  // namespace glasstty::typing

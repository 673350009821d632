#include "session/input_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "session/recorded_channel.h"

namespace glasstty::session {
namespace {

using record::ShellPhase;
using std::chrono::milliseconds;
using std::chrono::seconds;

class InputQueueTest : public ::testing::Test {
 protected:
  InputQueueTest() { Record(&link_, &sent_); }

  uint64_t Write(const std::string& bytes) {
    return input_.Write(bytes, wire::kWritePlain, ShellPhase::kNone);
  }

  HolderLink link_{/*remembers=*/false};
  Contact contact_;
  std::vector<Received> sent_;
  InputQueue input_{&link_, &contact_, 0, [] {}};
};

TEST_F(InputQueueTest, NumbersEachPacket) {
  EXPECT_EQ(Write("a"), 1u);
  EXPECT_EQ(Write("b"), 2u);
  EXPECT_FALSE(input_.consumed(1));
  input_.Consumed(1);
  EXPECT_TRUE(input_.consumed(1));
  EXPECT_FALSE(input_.consumed(2));
}

TEST_F(InputQueueTest, GivesLongInputTheSerialOfItsLastPacket) {
  EXPECT_EQ(Write(std::string(wire::kMaxPayload + 1, 'x')), 2u);
  EXPECT_EQ(sent_.size(), 2u);
}

TEST_F(InputQueueTest, FindsTheFirstRefusalOfACall) {
  input_.Refuse({3, wire::WriteRefusal::kAway, 5});
  input_.Refuse({4, wire::WriteRefusal::kAway, 0});
  EXPECT_EQ(input_.FindRefusal(0, 2), nullptr);
  ASSERT_NE(input_.FindRefusal(2, 9), nullptr);
  EXPECT_EQ(input_.FindRefusal(2, 9)->serial, 3u);
  EXPECT_EQ(input_.FindRefusal(3, 9)->serial, 4u);
}

TEST_F(InputQueueTest, Remembers64Refusals) {
  for (uint64_t serial = 1; serial <= 65; ++serial) {
    input_.Refuse({serial, wire::WriteRefusal::kAway, 0});
  }
  EXPECT_EQ(input_.FindRefusal(0, 1), nullptr);
  EXPECT_NE(input_.FindRefusal(1, 2), nullptr);
}

TEST_F(InputQueueTest, Remembers16LinesThatNoLineEditorHasRead) {
  for (int i = 0; i < 20; ++i) input_.RememberAhead(std::to_string(i), 1);
  EXPECT_EQ(input_.ahead().size(), 16u);
  EXPECT_EQ(input_.ahead().back().line, "19");
  input_.RememberAhead("next", 2);
  EXPECT_EQ(input_.ahead().size(), 1u);
  input_.MeetLineEditor(">>> ");
  EXPECT_TRUE(input_.ahead().empty());
}

TEST_F(InputQueueTest, KnowsThePromptOfTheLastLineEditor) {
  for (const char* before_cursor : {"$ ", ">>> ", ">>> half a line"}) {
    input_.MeetLineEditor(before_cursor);
  }
  input_.RememberAhead("next", 0);
  EXPECT_EQ(input_.ahead().back().prompt, ">>> ");
}

TEST_F(InputQueueTest, RefusesWhatNoRelayCanTake) {
  link_.Disconnect();
  uint64_t before = Write("dropped");
  EXPECT_EQ(input_.FindRefusal(0, before), nullptr);
  contact_.CutOff(Time{});
  uint64_t serial = Write("refused");
  ASSERT_NE(input_.FindRefusal(before, serial), nullptr);
  EXPECT_EQ(input_.FindRefusal(before, serial)->taken, 0u);
}

TEST_F(InputQueueTest, AsksOnlyForReceiptsThatAreMissing) {
  input_.AskForReceipts();
  EXPECT_TRUE(sent_.empty());
  Write("a");
  sent_.clear();
  input_.AskForReceipts();
  EXPECT_EQ(sent_.size(), 1u);
}

TEST_F(InputQueueTest, AProgramMayAnswerForASecond) {
  Time typed{seconds(10)};
  input_.RememberTyping(typed, Time{}, 5, 0, {});
  EXPECT_EQ(input_.typing().revision, 5u);
  EXPECT_TRUE(input_.MayAnswer(typed + milliseconds(999)));
  EXPECT_FALSE(input_.MayAnswer(typed + seconds(1)));
}

// Drawing within the second may be its answer.
TEST_F(InputQueueTest, KnowsThatAProgramDrawsByItself) {
  wire::PendingWork work;
  work.due_ms[0] = 100;
  Time first{seconds(10)};
  input_.RememberTyping(first, Time{}, 0, 0, work);
  EXPECT_EQ(input_.typing().habit_ms, 0);
  Time later = first + seconds(5);
  input_.RememberTyping(later, later - milliseconds(50), 0, 0, work);
  EXPECT_EQ(input_.typing().habit_ms, 100);
}

TEST_F(InputQueueTest, ReservesTheShellForOneCommand) {
  EXPECT_TRUE(input_.turn()->TakeRunSlot());
  EXPECT_FALSE(input_.turn()->TakeRunSlot());
  EXPECT_TRUE(input_.turn()->run_slot_taken());
  input_.turn()->ReleaseRunSlot();
  EXPECT_TRUE(input_.turn()->TakeRunSlot());
}

// The keyboard is lent to calls of other servers in turn with calls of this
// one.
class LentTurn : public InputQueueTest {
 protected:
  size_t Lent() {
    return static_cast<size_t>(
        std::count_if(sent_.begin(), sent_.end(), [](const auto& sent) {
          return sent.header.type == wire::Lend::kType;
        }));
  }

  int call_ = 0;  // callers are addresses
  int other_ = 0;
};

TEST_F(LentTurn, IsLentAtOnceIfNobodyTypes) {
  input_.turn()->Lend();
  EXPECT_EQ(Lent(), 1u);
  EXPECT_FALSE(input_.turn()->Take(&call_));
  input_.turn()->TakeBack();
  EXPECT_TRUE(input_.turn()->Take(&call_));
}

TEST_F(LentTurn, IsLentWhenTheCallThatTypesHasEnded) {
  ASSERT_TRUE(input_.turn()->Take(&call_));
  input_.turn()->Lend();
  input_.turn()->Wait(&other_);
  EXPECT_EQ(Lent(), 0u);
  EXPECT_TRUE(input_.turn()->Release());
  EXPECT_EQ(Lent(), 1u);
  EXPECT_FALSE(input_.turn()->Take(&other_));
  input_.turn()->TakeBack();
  EXPECT_TRUE(input_.turn()->Take(&other_));
}

TEST_F(LentTurn, IsLentWhenTheCallBeforeItHasLeftTheLine) {
  ASSERT_TRUE(input_.turn()->Take(&call_));
  input_.turn()->Wait(&other_);
  input_.turn()->Lend();
  input_.turn()->Release();
  EXPECT_EQ(Lent(), 0u) << "the other was first";
  input_.turn()->GiveUp(&other_);
  EXPECT_EQ(Lent(), 1u);
}

TEST_F(LentTurn, IsLentOnceHoweverOftenItIsAskedFor) {
  ASSERT_TRUE(input_.turn()->Take(&call_));
  input_.turn()->Lend();
  input_.turn()->Lend();
  input_.turn()->Release();
  input_.turn()->Lend();
  EXPECT_EQ(Lent(), 1u);
  input_.turn()->TakeBack();
  input_.turn()->TakeBack();
  EXPECT_TRUE(input_.turn()->Take(&call_));
}

// It still waits when somebody else has come and gone.
TEST_F(LentTurn, IsNotTakenBackBeforeItIsLent) {
  ASSERT_TRUE(input_.turn()->Take(&call_));
  input_.turn()->Lend();
  input_.turn()->TakeBack();
  input_.turn()->Release();
  EXPECT_EQ(Lent(), 1u);
}

}  // namespace
}  // namespace glasstty::session

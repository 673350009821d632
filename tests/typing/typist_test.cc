// Tests how bytes go out: receipts, refusals, and keys one by one.
#include "typing/typist.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "typing/input_fixture.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class TypistTest : public InputTest {
 protected:
  void BeReady() {
    Type({Text(".")});
    holder_.Consume();
    ASSERT_TRUE(typed_);
    typed_.reset();
  }
};

TEST_F(TypistTest, ARefusalIsToldInWords) {
  struct Row {
    wire::WriteRefusal why;
    const char* words;
  };
  for (const Row& row :
       {Row{wire::WriteRefusal::kQueueFull, "the program does not read its"},
        Row{wire::WriteRefusal::kLineTooLong, "a line of more than 4,095"},
        Row{wire::WriteRefusal::kClosed, "the program no longer reads"},
        Row{wire::WriteRefusal::kPersonTypes, kPersonTook},
        Row{wire::WriteRefusal::kAway, "there is no connection to the"}}) {
    holder_.RefuseWrites(row.why);
    typed_.reset();
    Type({Text("x")});
    ASSERT_TRUE(typed_) << row.words;
    EXPECT_TRUE(typed_->stopped.starts_with(row.words)) << typed_->stopped;
  }
}

// It waits in the kernel's queue.
TEST_F(TypistTest, WhatNobodyReadsHereHasBeenTypedAllTheSame) {
  BeReady();
  holder_.BeBusy();
  Type({Text("x")});
  EXPECT_FALSE(typed_);
  holder_.Advance(kReadPatience);
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped, "");
  EXPECT_EQ(typed_->done, 1u);
}

TEST_F(TypistTest, ACallThatIsGivenUpBeforeItsBytesAreReadIsNotDone) {
  BeReady();
  Cancellation cancellation;
  Type({Text("x")}, false, &cancellation);
  ASSERT_NO_FATAL_FAILURE(Cancel(&cancellation));
  EXPECT_EQ(typed_->done, 0u);
}

TEST_F(TypistTest, ACallThatIsGivenUpWhileTheFarEndIsAskedIsNotDone) {
  holder_.LiveElsewhere();
  session_ = holder_.Open();
  BeReady();
  holder_.BeBusy();
  Cancellation cancellation;
  Type({Text("x")}, false, &cancellation);
  holder_.Advance(kReadPatience);
  EXPECT_FALSE(typed_);
  ASSERT_NO_FATAL_FAILURE(Cancel(&cancellation));
  EXPECT_EQ(typed_->done, 0u);
}

TEST_F(TypistTest, ACallThatIsGivenUpBetweenTwoStepsTypesNoMore) {
  BeReady();
  Cancellation cancellation;
  Type({Text("a"), Text("b")}, false, &cancellation);
  holder_.Answer(wire::Waiting::kRunning);
  holder_.Consume();
  ASSERT_EQ(holder_.typed(), ".a");
  ASSERT_NO_FATAL_FAILURE(Cancel(&cancellation));
  EXPECT_EQ(typed_->done, 1u);
  EXPECT_EQ(holder_.typed(), ".a");
}

TEST_F(TypistTest, APersonWhoTakesTheKeyboardInTheMiddleOfATextEndsIt) {
  holder_.Answer(wire::Waiting::kRead, false, false);
  Type({Text(std::string(20'000, 'x'))});
  holder_.Lease(true, 1);
  holder_.Consume();
  EXPECT_EQ(holder_.typed().size(), kPasteBytes);
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_EQ(typed_->stopped,
            std::string(kPersonTook) + "; 8192 of 20000 bytes were typed");
}

TEST_F(TypistTest, AProgramThatExitsInTheMiddleOfATextHasNotReadTheRest) {
  holder_.Answer(wire::Waiting::kRead, false, false);
  Type({Text(std::string(20'000, 'x'))});
  holder_.Exit(0);
  holder_.Advance(milliseconds(100));
  EXPECT_EQ(holder_.typed().size(), kPasteBytes);
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_EQ(typed_->stopped,
            "the program has exited (0); 8192 of 20000 bytes were typed");
}

// Tests a program that draws screens, and waits for keys.
class KeysTest : public TypistTest {
 protected:
  KeysTest() {
    Wait();
    holder_.Print("\033[2;1Htop");
    BeReady();
    taken_ = holder_.typed().size();
  }
  void Wait() {
    holder_.Answer(wire::Waiting::kPollTimeout, false, false, "top");
  }
  // The program reads the rest.
  void Finish() {
    for (int i = 0; !typed_ && i < 100; ++i) {
      holder_.Consume();
      holder_.Advance(milliseconds(2));
    }
    EXPECT_TRUE(typed_);
  }
  // Returns the bytes typed since the test began.
  std::string Keys() const { return holder_.typed().substr(taken_); }

  size_t taken_ = 0;
};

TEST_F(KeysTest, TheNextKeyFollowsWhenTheProgramWaitsForIt) {
  // The program uses a processor, or sleeps.
  for (auto waiting : {wire::Waiting::kRunning, wire::Waiting::kSleepOther}) {
    taken_ = holder_.typed().size();
    Type({Text("abc")});
    holder_.Answer(waiting, true, true, "top");
    holder_.Consume();
    holder_.Advance(milliseconds(40));
    EXPECT_EQ(Keys(), "a");
    Wait();
    holder_.Advance(session::Prober::kQuickestPace);
    EXPECT_EQ(Keys(), "ab");
    holder_.Consume();
    holder_.Advance(session::Prober::kQuickestPace);
    EXPECT_EQ(Keys(), "abc");
    holder_.Consume();
  }
}

TEST_F(KeysTest, AKeyThatTakesItsTimeHasTheRestBehindItInOneGo) {
  Type({Text("abcd")});
  holder_.Answer(wire::Waiting::kRunning, false, false, "top");
  holder_.Consume();
  holder_.Advance(milliseconds(99));
  EXPECT_EQ(Keys(), "a");
  holder_.Advance(milliseconds(1));
  EXPECT_EQ(Keys(), "abcd");
}

TEST_F(KeysTest, AProgramThatCannotBeLookedIntoGetsAKeyEveryTwoMilliseconds) {
  holder_.Answer(wire::Waiting::kOpaque, false, false, "top");
  Type({Text("abc")});
  holder_.Consume();
  holder_.Advance(milliseconds(1));
  EXPECT_EQ(Keys(), "a");
  holder_.Advance(milliseconds(1));
  EXPECT_EQ(Keys(), "ab");
  Finish();
}

TEST_F(KeysTest, OfManyKeysTheFirstThirtyTwoAreTypedOneByOne) {
  for (size_t count : {32u, 40u}) {
    taken_ = holder_.typed().size();
    Type({Text(std::string(count, 'x'))});
    for (size_t typed = 1; typed <= 32; ++typed) {
      ASSERT_EQ(Keys().size(), typed);
      holder_.Consume();
      holder_.loop()->RunReady();
    }
    EXPECT_EQ(Keys().size(), count);
    holder_.Consume();
    EXPECT_TRUE(typed_);
  }
}

TEST_F(KeysTest, MoreThanTwoHundredFiftySixKeysAreText) {
  Type({Text(std::string(257, 'x'))});
  EXPECT_EQ(Keys().size(), 257u);
  Finish();
  typed_.reset();
  taken_ = holder_.typed().size();
  Type({Text(std::string(256, 'x'))});
  EXPECT_EQ(Keys().size(), 1u);
  Finish();
}

TEST_F(KeysTest, ACallThatIsGivenUpBetweenTwoKeysTypesNoMore) {
  Cancellation cancellation;
  Type({Text("abc")}, false, &cancellation);
  holder_.Answer(wire::Waiting::kRunning, false, false, "top");
  holder_.Consume();
  ASSERT_EQ(Keys(), "a");
  ASSERT_NO_FATAL_FAILURE(Cancel(&cancellation));
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_EQ(Keys(), "a");
}

}  // namespace
}  // namespace glasstty::typing

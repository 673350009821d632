// A receipt is given when the kernel says that nothing typed is unread. The
// test is the program: it reads and flushes its end of the terminal.
#include "holder/receipt.h"

#include <gtest/gtest.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace glasstty::holder {
namespace {

using std::chrono::milliseconds;

class ReceiptTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(device_.OpenTerminal(24, 80)); }

  void Type(const std::string& text) {
    receipt_.Expect();
    receipt_.Typing(*device_.GetAttributes(), text);
    ASSERT_EQ(device_.Write(text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
    receipt_.Typed(now_);
  }
  void ProgramReads() {
    char buffer[64];
    ASSERT_GT(read(device_.child_fd(0), buffer, sizeof buffer), 0);
  }
  void ProgramFlushes() {
    ASSERT_EQ(tcflush(device_.child_fd(0), TCIFLUSH), 0);
  }

  Device device_;
  Receipt receipt_{&device_};
  Time now_{};
};

TEST_F(ReceiptTest, IsGivenOnceWhenAllIsRead) {
  EXPECT_FALSE(receipt_.Check(now_));
  Type("line\n");
  EXPECT_TRUE(receipt_.outstanding());
  EXPECT_FALSE(receipt_.Check(now_));
  ProgramReads();
  EXPECT_EQ(receipt_.Check(now_), wire::ConsumedHow::kRead);
  EXPECT_FALSE(receipt_.outstanding());
  EXPECT_FALSE(receipt_.Check(now_));
}

TEST_F(ReceiptTest, IsAskedForEverMoreRarelyAndSoonAfterOutput) {
  Type("line\n");
  Time first = receipt_.next_check();
  EXPECT_LT(first, now_ + milliseconds(1));
  Duration pause = first - now_;
  for (int i = 0; i < 5; ++i) {
    now_ = receipt_.next_check();
    EXPECT_FALSE(receipt_.Check(now_));
    EXPECT_GT(receipt_.next_check() - now_, pause);
    pause = receipt_.next_check() - now_;
  }
  receipt_.ProgramPrinted(now_);
  EXPECT_EQ(receipt_.next_check() - now_, first - Time{});
}

TEST_F(ReceiptTest, SaysThatTheProgramFlushedWhatWasTyped) {
  Type("line\n");
  ProgramFlushes();
  EXPECT_EQ(receipt_.Check(now_), wire::ConsumedHow::kFlushed);
}

TEST_F(ReceiptTest, IgnoresAFlushFromBeforeTheWrite) {
  ProgramFlushes();
  Type("line\n");
  ProgramReads();
  EXPECT_EQ(receipt_.Check(now_), wire::ConsumedHow::kRead);
}

// Nobody gets the signal: the terminal has no foreground group.
TEST_F(ReceiptTest, KnowsThatASignalCharacterFlushesByItself) {
  Type("half\x03");
  EXPECT_FALSE(receipt_.WatchesTyping());
  EXPECT_EQ(receipt_.Check(now_), wire::ConsumedHow::kRead);
  EXPECT_TRUE(receipt_.WatchesTyping());
}

TEST_F(ReceiptTest, IsNeverGivenAfterItWasCancelled) {
  Type("line\n");
  receipt_.Cancel();
  ProgramReads();
  EXPECT_FALSE(receipt_.Check(now_));
  EXPECT_EQ(receipt_.next_check(), Time::max());
}

}  // namespace
}  // namespace glasstty::holder

// Tests what clients are told without asking, by a session on a scripted
// holder.
#include "tools/notices.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/fake_holder.h"

namespace glasstty {
namespace {

class NoticesTest : public testing::Test {
 protected:
  NoticesTest() {
    notices_.SetWire(
        {[this](uint64_t, const Json& data) { told_.push_back(data); },
         [this](uint64_t) { return congested_; }});
    notices_.SetOutput(1, session_, "mine", true);
  }
  void Pause() { holder_.Advance(Notices::kPause); }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open();
  Notices notices_{holder_.loop()};
  std::vector<Json> told_;
  bool congested_ = false;
};

TEST_F(NoticesTest, PutOutputTogether) {
  holder_.Print("one ");
  holder_.Print("line\r\n");
  EXPECT_TRUE(told_.empty());
  Pause();
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0]["text"], "one line");
  EXPECT_EQ(told_[0]["session"], "mine");
}

TEST_F(NoticesTest, WaitForAClientThatIsBehind) {
  congested_ = true;
  for (int i = 0; i < 100; ++i) {
    holder_.Print(std::to_string(i) + "\r\n");
    Pause();
  }
  EXPECT_TRUE(told_.empty());
  congested_ = false;
  Pause();
  ASSERT_EQ(told_.size(), 1u);
  std::string text = told_[0]["text"];
  EXPECT_EQ(text.substr(0, 5), "0\n1\n2");
  EXPECT_EQ(text.substr(text.size() - 5), "98\n99");
}

TEST_F(NoticesTest, TellAClientThatWasBehindOfTheEnd) {
  congested_ = true;
  holder_.Print("last words");
  holder_.Exit(3 << 8);
  Pause();
  EXPECT_TRUE(told_.empty());
  congested_ = false;
  Pause();
  ASSERT_EQ(told_.size(), 2u);
  EXPECT_EQ(told_[0]["text"], "last words");
  EXPECT_EQ(told_[1]["state"], "exited=3");
  Pause();
  EXPECT_EQ(told_.size(), 2u);
}

}  // namespace
}  // namespace glasstty

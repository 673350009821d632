// Sessions that print much.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "session/log_feed.h"
#include "session/session.h"
#include "testing/fake_holder.h"

namespace glasstty::session {
namespace {

class AFlood : public ::testing::Test {
 protected:
  FakeHolder holder_;
  SessionRef session_ = holder_.Open();
};
using ALongListing = AFlood;

using std::chrono::milliseconds;

// Much of it, for more than a second.
void Flow(FakeHolder* holder) {
  for (int i = 0; i < 20; ++i) {
    holder->Print(std::string(20'000, 'x'));
    holder->Advance(milliseconds(100));
  }
}

TEST_F(AFlood, IsMuchOutputForAWhile) {
  holder_.Print(std::string(200'000, 'x'));
  EXPECT_FALSE(session_->output().IsFlooding());
  Flow(&holder_);
  EXPECT_TRUE(session_->output().IsFlooding());
  holder_.Advance(milliseconds(1100));
  EXPECT_FALSE(session_->output().IsFlooding());
  holder_.Print("prompt");
  EXPECT_FALSE(session_->output().IsFlooding());
}

TEST_F(AFlood, ThatWaitsToBeFedPutsTheScreenBehind) {
  Flow(&holder_);
  EXPECT_FALSE(session_->output().IsBehind());
  holder_.PrintSilently("more");
  holder_.RingUnfed();
  EXPECT_TRUE(session_->output().IsBehind());
  // However long it waits: it is not quiet.
  holder_.clock()->Advance(milliseconds(5000));
  EXPECT_EQ(session_->verdict().LastState().activity, Activity::kBusy);
  holder_.loop()->RunReady();
  EXPECT_FALSE(session_->output().IsBehind());
}

// The next piece of output may be its end, with the prompt.
TEST_F(ALongListing, ThatWaitsToBeFedDoesNotPutTheScreenBehind) {
  holder_.Print(std::string(200'000, 'x'));
  holder_.PrintSilently("more");
  holder_.RingUnfed();
  EXPECT_TRUE(session_->output().HasUnfed());
  EXPECT_FALSE(session_->output().IsBehind());
}

TEST_F(AFlood, IsFedBehindTheOutputOfOthers) {
  FakeHolder holder;
  std::unique_ptr<terminal::Terminal> shown =
      *terminal::Terminal::Create({.size = {4, 20}});
  std::string order;
  auto whole = [](std::string_view bytes) { return bytes.size(); };
  auto feed = [&](char name) {
    return std::make_unique<LogFeed>(holder.loop(), holder.directory(), "out",
                                     shown.get(), whole, [&order, name] {
                                       order += name;
                                       return false;
                                     });
  };
  std::unique_ptr<LogFeed> flood = feed('f'), line = feed('l');
  holder.PrintSilently("text");
  flood->SetFlood(true);
  flood->SetEnd(4);
  line->SetEnd(4);
  holder.loop()->RunReady();
  EXPECT_EQ(order, "lf");
}

// A doorbell also rings for what is known already, as with each answer.
TEST_F(AFlood, IsNoLessForADoorbellWithoutOutput) {
  Flow(&holder_);
  holder_.Advance(milliseconds(400));
  for (int i = 0; i < 10; ++i) holder_.Ring();
  EXPECT_TRUE(session_->output().IsFlooding());
}

TEST_F(AFlood, IsNoLessForTheTimeThatItWaitsToBeFed) {
  Flow(&holder_);
  for (int i = 0; i < 10; ++i) {
    holder_.PrintSilently("more");
    holder_.RingUnfed();
    EXPECT_TRUE(session_->output().IsBehind()) << i;
    holder_.clock()->Advance(milliseconds(500));
  }
}

}  // namespace
}  // namespace glasstty::session

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

using std::chrono::milliseconds;

// Much of it, for more than a second.
void Flow(FakeHolder* holder) {
  for (int i = 0; i < 20; ++i) {
    holder->Print(std::string(20'000, 'x'));
    holder->Advance(milliseconds(100));
  }
}

TEST(AFlood, IsMuchOutputForAWhile) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print(std::string(200'000, 'x'));
  EXPECT_FALSE(session->output().IsFlooding());
  Flow(&holder);
  EXPECT_TRUE(session->output().IsFlooding());
  holder.Advance(milliseconds(1100));
  EXPECT_FALSE(session->output().IsFlooding());
  holder.Print("prompt");
  EXPECT_FALSE(session->output().IsFlooding());
}

TEST(AFlood, ThatWaitsToBeFedPutsTheScreenBehind) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  Flow(&holder);
  EXPECT_FALSE(session->output().IsBehind());
  holder.PrintSilently("more");
  holder.RingUnfed();
  EXPECT_TRUE(session->output().IsBehind());
  // However long it waits: it is not quiet.
  holder.clock()->Advance(milliseconds(5000));
  EXPECT_EQ(session->verdict().LastState().activity, Activity::kBusy);
  holder.loop()->RunReady();
  EXPECT_FALSE(session->output().IsBehind());
}

// The next piece of output may be its end, with the prompt.
TEST(ALongListing, ThatWaitsToBeFedDoesNotPutTheScreenBehind) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print(std::string(200'000, 'x'));
  holder.PrintSilently("more");
  holder.RingUnfed();
  EXPECT_TRUE(session->output().HasUnfed());
  EXPECT_FALSE(session->output().IsBehind());
}

TEST(AFlood, IsFedBehindTheOutputOfOthers) {
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
TEST(AFlood, IsNoLessForADoorbellWithoutOutput) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  Flow(&holder);
  holder.Advance(milliseconds(400));
  for (int i = 0; i < 10; ++i) holder.Ring();
  EXPECT_TRUE(session->output().IsFlooding());
}

TEST(AFlood, IsNoLessForTheTimeThatItWaitsToBeFed) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  Flow(&holder);
  for (int i = 0; i < 10; ++i) {
    holder.PrintSilently("more");
    holder.RingUnfed();
    EXPECT_TRUE(session->output().IsBehind()) << i;
    holder.clock()->Advance(milliseconds(500));
  }
}

}  // namespace
}  // namespace glasstty::session

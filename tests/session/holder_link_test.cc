#include "session/holder_link.h"

#include <gtest/gtest.h>

#include <vector>

#include "session/recorded_channel.h"
#include "wire/packets.h"

namespace glasstty::session {
namespace {

using Sent = std::vector<Received>;

TEST(HolderLink, GreetsTheHolder) {
  HolderLink link(/*remembers=*/false);
  Sent sent;
  link.Connect(std::make_unique<RecordedChannel>(&sent), nullptr);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].header.type, wire::Hello::kType);
}

TEST(HolderLink, DropsWhatIsSentWithoutAConnection) {
  HolderLink link(/*remembers=*/false);
  link.Send(wire::Resize{2, 3});
  Sent sent;
  Record(&link, &sent);
  link.AskAgain();
  EXPECT_TRUE(sent.empty());
}

TEST(HolderLink, AsksAgainForTheLastOfEachKind) {
  HolderLink link(/*remembers=*/true);
  link.Send(wire::Resize{2, 3});
  link.Send(wire::Resize{4, 5});
  link.Send(wire::Policy{1, 2});
  link.Send(wire::Write{1, wire::kWritePlain, "typed once"});
  Sent sent;
  Record(&link, &sent);
  link.AskAgain();
  ASSERT_EQ(sent.size(), 2u);
  for (const Received& packet : sent) {
    if (packet.header.type != wire::Resize::kType) continue;
    EXPECT_EQ(packet.As<wire::Resize>(), (wire::Resize{4, 5}));
  }
}

TEST(HolderLink, AsksNotAgainForWhatWasAnswered) {
  HolderLink link(/*remembers=*/true);
  link.Send(wire::Resize{2, 3});
  link.Answered(wire::Resized{});
  Sent sent;
  Record(&link, &sent);
  link.AskAgain();
  EXPECT_TRUE(sent.empty());
}

// A report with serial 0 answers a close, and nobody's question.
TEST(HolderLink, StillAwaitsATreeAfterTheReportOfAClose) {
  HolderLink link(/*remembers=*/true);
  link.Send(wire::Tree{7, wire::kTreeListening});
  Sent sent;
  Record(&link, &sent);
  link.Answered(wire::TreeEnd{0});
  link.AskAgain();
  EXPECT_EQ(sent.size(), 1u);
  link.Answered(wire::TreeEnd{7});
  link.AskAgain();
  EXPECT_EQ(sent.size(), 1u);
}

}  // namespace
}  // namespace glasstty::session

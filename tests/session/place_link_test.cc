// The server's connection to the relay of a place, which the test plays.
#include "session/place_link.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <optional>
#include <string>

namespace glasstty::session {
namespace {

using wire::PlaceState;

class PlaceLinkTest : public ::testing::Test {
 protected:
  PlaceLinkTest() {
    place::Place place;
    std::string error;
    EXPECT_TRUE(place::ParsePlace("ssh:db", &place, &error)) << error;
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
    relay_ = UniqueFd(ends[1]);
    link_.emplace(&loop_, place, UniqueFd(ends[0]));
    link_->OnChange([this] { ++changes_; });
  }

  void Say(PlaceState state, const std::string& hello = "") {
    ASSERT_TRUE(wire::SendPlaceMessage(
        relay_.get(), wire::PlaceMessage::kStatus,
        wire::EncodeStatus({.state = state, .hello = hello})));
    loop_.RunReady();
  }

  ManualClock clock_;
  Loop loop_{&clock_};
  int changes_ = 0;
  UniqueFd relay_;
  std::optional<PlaceLink> link_;
};

TEST_F(PlaceLinkTest, KnowsWhatProgramsFindThereAlsoWhileItIsDown) {
  wire::HelloInfo hello;
  hello.system = "Linux 6.1.0 x86_64 db7";
  hello.home = "/home/me";
  hello.shell = "/bin/zsh";
  hello.sessions = "/home/me/sessions";
  hello.environment = {"A=1"};
  Say(PlaceState::kConnecting);
  EXPECT_FALSE(link_->up());
  Say(PlaceState::kUp, wire::EncodeHello(hello));
  EXPECT_TRUE(link_->up());
  Say(PlaceState::kPausing);
  EXPECT_FALSE(link_->up());
  EXPECT_EQ(link_->hello().system, "Linux 6.1.0 x86_64 db7");
  Surroundings around = link_->Around();
  EXPECT_EQ(around.directory, "/home/me");
  EXPECT_EQ(around.shell, "/bin/zsh");
  EXPECT_EQ(around.sessions, "/home/me/sessions");
  EXPECT_EQ(VariableOf(around, "A"), "1");
}

TEST_F(PlaceLinkTest, AMachineThatDoesNotSayHasARootAndAShell) {
  Say(PlaceState::kUp, wire::EncodeHello({}));
  EXPECT_EQ(link_->Around().directory, "/");
  EXPECT_EQ(link_->Around().shell, "/bin/sh");
}

TEST_F(PlaceLinkTest, AFailureIsOneLineWithoutControls) {
  wire::PlaceStatus status;
  status.state = PlaceState::kFailed;
  status.failure = "no\n[main] prompt \x1b]52;c;eA==\a";
  wire::SendPlaceMessage(relay_.get(), wire::PlaceMessage::kStatus,
                         wire::EncodeStatus(status));
  for (int i = 0; i < 3; ++i) loop_.RunReady();
  EXPECT_EQ(link_->status().failure, R"(no\n[main] prompt \e]52;c;eA==\a)");
}

TEST_F(PlaceLinkTest, TheEndOfTheRelayIsToldOnce) {
  Say(PlaceState::kUp);
  EXPECT_EQ(changes_, 1);
  relay_.Reset();
  for (int i = 0; i < 3; ++i) loop_.RunReady();
  EXPECT_TRUE(link_->gone());
  EXPECT_FALSE(link_->up());
  EXPECT_EQ(changes_, 2);
}

}  // namespace
}  // namespace glasstty::session

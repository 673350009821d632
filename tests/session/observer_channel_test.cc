// Tests what a server asks of the holder of a session that another server
// keeps.
#include "session/observer_channel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "support/loop.h"
#include "wire/messages.h"

namespace glasstty::session {
namespace {

using std::chrono::milliseconds;
using wire::PacketType;

// The connection to the holder: the test says what comes.
struct Below : Channel {
  void SetListener(ChannelListener* above) override { listener = above; }
  void Send(wire::PacketHeader header, std::string_view) override {
    sent->push_back(header.type);
  }

  ChannelListener* listener = nullptr;
  std::vector<PacketType>* sent = nullptr;
};

class Observing : public ::testing::Test {
 protected:
  Observing() {
    auto below = std::make_unique<Below>();
    below->sent = &sent_;
    below_ = below.get();
    channel_.emplace(&loop_, std::move(below));
  }

  void Send(const wire::IsMessage auto& message) {
    wire::Writer packet = wire::Encode(message);
    channel_->Send(packet.header, packet.payload);
  }
  void Answer() {
    wire::Writer packet = wire::Encode(wire::State{.serial = 1});
    below_->listener->OnPacket(packet.packet());
  }
  void Advance(Duration by) {
    clock_.Advance(by);
    loop_.RunReady();
  }
  std::vector<PacketType> Sent() { return std::exchange(sent_, {}); }

  ManualClock clock_;
  Loop loop_{&clock_};
  std::vector<PacketType> sent_;
  Below* below_ = nullptr;
  std::optional<ObserverChannel> channel_;
};

TEST_F(Observing, GreetsAsAnObserver) {
  Send(wire::Hello{});
  EXPECT_EQ(Sent(), std::vector<PacketType>{wire::Watch::kType});
}

TEST_F(Observing, SetsNothingThatTheOwnerSays) {
  Send(wire::Policy{});
  Send(wire::Lend{});
  Send(wire::Ask{"please"});
  Send(wire::File{.name = "environment"});
  EXPECT_TRUE(Sent().empty());
}

TEST_F(Observing, EndsAndSignals) {
  Send(wire::Ack{1, 0});
  Send(wire::Signal{2, wire::SignalTarget::kForeground});
  Send(wire::Close{});
  EXPECT_EQ(Sent(),
            (std::vector<PacketType>{wire::Ack::kType, wire::Signal::kType,
                                     wire::Close::kType}));
}

TEST_F(Observing, AsksForTheProcesses) {
  Send(wire::Tree{7, wire::kTreeListening});
  EXPECT_EQ(Sent(), (std::vector<PacketType>{wire::Tree::kType}));
}

TEST_F(Observing, TypesWithTheKeyboard) {
  Send(wire::Take{});
  Send(wire::Write{.serial = 1, .bytes = "x"});
  Send(wire::Resize{24, 80});
  Send(wire::Give{});
  EXPECT_EQ(Sent(),
            (std::vector<PacketType>{wire::Take::kType, wire::Write::kType,
                                     wire::Resize::kType, wire::Give::kType}));
}

// A call may wait for longer between two steps than a holder believes in it.
TEST_F(Observing, ShowsThatItIsAliveWhileItHasTheKeyboard) {
  auto told = [this](uint64_t flags) {
    wire::Writer packet = wire::Encode(wire::Lease{.flags = flags});
    below_->listener->OnPacket(packet.packet());
  };
  constexpr milliseconds kBeat(wire::kLeaseBeatMs);
  told(wire::kLeaseHeld);
  Advance(2 * kBeat);
  EXPECT_TRUE(Sent().empty()) << "another has it";
  told(wire::kLeaseHeld | wire::kLeaseYours);
  for (int i = 0; i < 3; ++i) {
    Advance(kBeat);
    EXPECT_EQ(Sent().size(), 1u) << i;
  }
  told(0);
  Advance(2 * kBeat);
  EXPECT_TRUE(Sent().empty());
}

// A holder answers an observer that asks too often with what it found before.
TEST_F(Observing, WaitsAfterAnAnswerBeforeItAsksAgain) {
  const std::vector<PacketType> once = {wire::Probe::kType};
  Send(wire::Probe{.serial = 1});
  EXPECT_EQ(Sent(), once);
  Send(wire::Probe{.serial = 2});
  Advance(milliseconds(200));
  EXPECT_TRUE(Sent().empty()) << "the first has no answer yet";
  Answer();
  Advance(milliseconds(2));
  EXPECT_TRUE(Sent().empty());
  Advance(milliseconds(1));
  EXPECT_EQ(Sent(), once);
  Answer();
  Advance(milliseconds(1));
  Send(wire::Probe{.serial = 3});
  EXPECT_TRUE(Sent().empty());
  Advance(milliseconds(2));
  EXPECT_EQ(Sent(), once);
  Answer();
  Advance(milliseconds(200));
  Send(wire::Probe{.serial = 4});
  EXPECT_EQ(Sent(), once);
}

}  // namespace
}  // namespace glasstty::session

// Tests that the server and observers are told about the program.
#include "holder/peers.h"

#include <gtest/gtest.h>

#include "holder/parts_world.h"

namespace glasstty::holder {
namespace {

using wire::PacketType;
using Types = std::vector<PacketType>;

TEST(Peers, NewcomersAreToldAllThatTheyMustKnow) {
  PartsWorld world({"true"});
  ASSERT_TRUE(world.program.Start());
  world.peers->SendWelcome(world.peers->link(), 0);
  EXPECT_EQ(PartsWorld::Heard(world.server.get()),
            (Types{wire::Welcome::kType, wire::Started::kType}));
  world.end->Kill(world.now);
  PartsWorld::Heard(world.server.get());
  ASSERT_TRUE(testing::Eventually(testing::Seconds(20), [&] {
    world.end->Reap();
    return world.program.exited();
  }));
  Observer* observer = world.Observe();
  world.peers->SendWelcome(observer, 0);
  EXPECT_EQ(
      PartsWorld::Heard(world.theirs[0].get()),
      (Types{wire::Welcome::kType, wire::Started::kType, wire::Exit::kType}));
}

TEST(Peers, EverybodyHearsOfANewSize) {
  PartsWorld world;
  world.Observe();
  world.peers->Resize({.rows = 5, .cols = 50});
  EXPECT_EQ(PartsWorld::Heard(world.server.get()), Types{wire::Resized::kType});
  EXPECT_EQ(PartsWorld::Heard(world.theirs[0].get()),
            Types{wire::Resized::kType});
}

TEST(Peers, ObserversHearWhatThePersonIsAskedForWhileTheServerIsThere) {
  PartsWorld world;
  world.peers->SetAsk("the code");
  Observer* observer = world.Observe();
  world.peers->SendAsk(observer);
  EXPECT_EQ(PartsWorld::Heard(world.theirs[0].get()),
            Types{wire::Asked::kType});
  world.peers->DropServer();
  EXPECT_EQ(PartsWorld::Heard(world.theirs[0].get()), Types{wire::Asked::kType})
      << "it is withdrawn";
  world.peers->SendAsk(observer);
  EXPECT_EQ(PartsWorld::Heard(world.theirs[0].get()), Types{});
}

TEST(Peers, AreFoundByTheirNumber) {
  PartsWorld world;
  Observer* observer = world.Observe();
  EXPECT_EQ(world.peers->FindWriter(observer->id), observer);
  EXPECT_EQ(world.peers->FindWriter(observer->id + 1), nullptr);
}

}  // namespace
}  // namespace glasstty::holder

// Tests the end of a session, and who must learn of it.
#include "holder/session_end.h"

#include <gtest/gtest.h>

#include <chrono>

#include "holder/parts_world.h"

namespace glasstty::holder {
namespace {

using std::chrono::seconds;
using testing::Eventually;
using testing::Seconds;

bool Ends(PartsWorld* world) {
  return Eventually(Seconds(20), [&] {
    world->end->Reap();
    world->end->Step(MonotonicNow());
    return world->end->IsDone(MonotonicNow());
  });
}

TEST(SessionEnd, IsReachedWhenTheProgramHasEndedAndTheServerKnows) {
  PartsWorld world({"true"});
  ASSERT_TRUE(world.program.Start());
  EXPECT_TRUE(Ends(&world));
  EXPECT_TRUE(world.program.exited());
  auto types = PartsWorld::Heard(world.server.get());
  ASSERT_GE(types.size(), 2u);
  EXPECT_EQ(types[types.size() - 2], wire::Exit::kType);
  EXPECT_EQ(types.back(), wire::Empty::kType);
}

TEST(SessionEnd, IsNotReachedWhileTheProgramRuns) {
  PartsWorld world;
  ASSERT_TRUE(world.program.Start());
  world.end->Reap();
  EXPECT_FALSE(world.end->IsDone(world.now));
  EXPECT_EQ(world.end->next(), Time::max());
  world.end->Kill(world.now);
  EXPECT_TRUE(Ends(&world));
  EXPECT_TRUE(world.ServerHears(wire::TreeEnd::kType));
}

TEST(SessionEnd, WithoutAServerWaitsForNobody) {
  PartsWorld world({"true"});
  ASSERT_TRUE(world.program.Start());
  world.peers->link()->Detach();
  EXPECT_TRUE(Ends(&world));
}

TEST(SessionEnd, EndOfFileDoesNotTypeTheBeginningOfAWrite) {
  PartsWorld world;
  ASSERT_TRUE(world.program.Start());
  world.keyboard->Type({.serial = 1, .flags = 0, .bytes = "whole\n"},
                       world.now);
  world.keyboard->Type(
      {.serial = 2, .flags = wire::kWriteMore, .bytes = "half\n"}, world.now);
  world.end->Close({60'000, wire::kCloseEof}, Input::kServer, world.now);
  EXPECT_TRUE(Ends(&world));
  EXPECT_EQ(world.Log(), "whole\n");
}

TEST(SessionEnd, AProgramThatDidNotStartIsToldForAWhile) {
  PartsWorld world;
  // The server has not said Hello, so it has been told nothing yet.
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
  UniqueFd server(ends[0]);
  Peers mute(world.dir.get(), UniqueFd(ends[1]), &world.program);
  SessionEnd end(&world.program, &mute, &*world.keyboard, &world.grace);
  end.FailToStart(world.now);
  EXPECT_FALSE(end.IsDone(world.now));
  EXPECT_EQ(end.next(), world.now + seconds(10));
  EXPECT_TRUE(end.IsDone(end.next()));
}

}  // namespace
}  // namespace glasstty::holder

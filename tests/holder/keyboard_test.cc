// Tests that either the server types or one person does.
#include "holder/keyboard.h"

#include <gtest/gtest.h>

#include <chrono>

#include "holder/parts_world.h"

namespace glasstty::holder {
namespace {

class KeyboardTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(world_.program.Start()); }
  void TearDown() override { world_.end->Kill(world_.now); }

  void ServerTypes(uint64_t serial, uint64_t flags = 0) {
    keyboard().Type({.serial = serial, .flags = flags, .bytes = "x\n"},
                    world_.now);
  }
  Keyboard& keyboard() { return *world_.keyboard; }
  uint64_t last_serial() { return world_.program.input()->last_serial(); }

  PartsWorld world_;
};

TEST_F(KeyboardTest, IsTheServersUntilSomebodyTakesIt) {
  ServerTypes(1);
  EXPECT_EQ(last_serial(), 1u);
  Observer* person = world_.Observe();
  ASSERT_NE(person, nullptr);
  keyboard().Give({}, person, world_.now);
  EXPECT_TRUE(keyboard().IsHeldBy(person));
  ServerTypes(2);
  EXPECT_EQ(last_serial(), 1u);
  EXPECT_TRUE(world_.ServerHears(wire::PacketType::kRefused));
}

TEST_F(KeyboardTest, RepliesToTheProgramPassBesideAPerson) {
  keyboard().Give({}, world_.Observe(), world_.now);
  ServerTypes(5, wire::kWriteReply);
  EXPECT_EQ(last_serial(), 5u);
}

TEST_F(KeyboardTest, RestOfAWriteThatWasRefusedIsRefusedToo) {
  keyboard().Give({}, world_.Observe(), world_.now);
  ServerTypes(1, wire::kWriteMore);
  keyboard().End(wire::LeaseEnd::kGiven, world_.now);
  ServerTypes(1);
  EXPECT_EQ(last_serial(), 0u);
  ServerTypes(2);
  EXPECT_EQ(last_serial(), 2u);
}

TEST_F(KeyboardTest, IsTakenFromAnotherOnlyOnPurpose) {
  Observer* first = world_.Observe();
  Observer* second = world_.Observe();
  keyboard().Give({}, first, world_.now);
  keyboard().Give({}, second, world_.now);
  EXPECT_TRUE(keyboard().IsHeldBy(first));
  keyboard().Give({.flags = wire::kTakeOver}, second, world_.now);
  EXPECT_TRUE(keyboard().IsHeldBy(second));
}

TEST_F(KeyboardTest, TurnForOneWriteEndsWithIt) {
  Observer* person = world_.Observe();
  keyboard().Give({.flags = wire::kTakeOnce}, person, world_.now);
  keyboard().Type({.serial = 1, .flags = wire::kWriteMore, .bytes = "a"},
                  person, world_.now);
  EXPECT_TRUE(keyboard().held());
  keyboard().Type({.serial = 1, .bytes = "b\n"}, person, world_.now);
  EXPECT_FALSE(keyboard().held());
}

TEST_F(KeyboardTest, ObserverWithoutItIsRefused) {
  Observer* observer = world_.Observe();
  keyboard().Type({.serial = 1, .bytes = "x"}, observer, world_.now);
  EXPECT_EQ(PartsWorld::Heard(world_.theirs[0].get()),
            std::vector{wire::PacketType::kRefused});
}

TEST_F(KeyboardTest, PersonIsAReasonToGoOnWithoutAServer) {
  keyboard().Give({}, world_.Observe(), world_.now);
  world_.peers->DropServer();
  keyboard().LoseServer(world_.now);
  EXPECT_FALSE(world_.grace.running());
  keyboard().End(wire::LeaseEnd::kGiven, world_.now);
  EXPECT_TRUE(world_.grace.running());
}

TEST_F(KeyboardTest, TakingItStopsTheGrace) {
  world_.peers->DropServer();
  keyboard().LoseServer(world_.now);
  ASSERT_TRUE(world_.grace.running());
  keyboard().Give({}, world_.Observe(), world_.now);
  EXPECT_FALSE(world_.grace.running());
}

TEST_F(KeyboardTest, SizeIsRestoredWhenThePersonIsGone) {
  const wire::HolderInfo before = world_.program.Info();
  auto rows_after = [this](uint64_t flags, wire::LeaseEnd how) {
    keyboard().Give({.flags = flags}, world_.Observe(), world_.now);
    world_.peers->Resize({11, 40});
    keyboard().End(how, world_.now);
    return world_.program.Info().rows;
  };
  for (auto how :
       {wire::LeaseEnd::kGone, wire::LeaseEnd::kIdle, wire::LeaseEnd::kTaken}) {
    EXPECT_EQ(rows_after(0, how), before.rows);
    EXPECT_EQ(world_.program.Info().cols, before.cols);
  }
  EXPECT_EQ(rows_after(wire::kTakeSize, wire::LeaseEnd::kGone), 11);
}

TEST_F(KeyboardTest, TurnEndsWhenThePersonFallsSilent) {
  keyboard().Give({}, world_.Observe(), world_.now);
  Time next = keyboard().next();
  ASSERT_LT(next, Time::max());
  keyboard().RunTimers(next - std::chrono::seconds(1));
  EXPECT_TRUE(keyboard().held());
  keyboard().RunTimers(next + std::chrono::seconds(1));
  EXPECT_FALSE(keyboard().held());
  EXPECT_EQ(keyboard().next(), Time::max());
}

}  // namespace
}  // namespace glasstty::holder

// Tests that either the server types or one person does.
#include "holder/keyboard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

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
  // Returns the events about the keyboard: "K1 T0 " for a turn that began and
  // input of the agent.
  std::string Noted() {
    std::string noted;
    auto events = wire::ReadEvents(world_.dir.get());
    for (const wire::EventRecord& event : *events) {
      if (event.type == wire::EventType::kTurn) noted += 'K';
      if (event.type == wire::EventType::kTyped) noted += 'T';
      if (event.type == wire::EventType::kTurn ||
          event.type == wire::EventType::kTyped) {
        noted += std::to_string(event.a) + ' ';
      }
    }
    return noted;
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
  EXPECT_TRUE(world_.ServerHears(wire::Refused::kType));
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

TEST_F(KeyboardTest, RestOfARefusedWriteIsRefusedAfterAnotherTurnToo) {
  Observer* person = world_.Observe();
  keyboard().Give({}, person, world_.now);
  ServerTypes(1, wire::kWriteMore);
  for (int i = 0; i < 2; ++i) {
    keyboard().End(wire::LeaseEnd::kGiven, world_.now);
    keyboard().Give({}, person, world_.now);
  }
  keyboard().End(wire::LeaseEnd::kGiven, world_.now);
  ServerTypes(2);
  EXPECT_EQ(last_serial(), 0u);
  ServerTypes(3);
  EXPECT_EQ(last_serial(), 3u);
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

TEST_F(KeyboardTest, TurnsAndWhoTypedAreEvents) {
  world_.now += std::chrono::milliseconds(1'500);
  ServerTypes(1);
  ServerTypes(2);
  Observer* person = world_.Observe();
  keyboard().Give({}, person, world_.now);
  keyboard().Type({.serial = 1, .bytes = "a"}, person, world_.now);
  keyboard().Type({.serial = 2, .flags = wire::kWriteMouse, .bytes = "m"},
                  person, world_.now + std::chrono::milliseconds(2'000));
  keyboard().Type({.serial = 3, .bytes = "b"}, person,
                  world_.now + std::chrono::milliseconds(999));
  keyboard().Type({.serial = 4, .bytes = "c"}, person,
                  world_.now + std::chrono::milliseconds(1'999));
  keyboard().End(wire::LeaseEnd::kGiven, world_.now);
  // The agent, the turn, the person, the person after a pause, the turn's end.
  EXPECT_EQ(Noted(), "T0 K1 T1 T1 K0 ");
}

TEST_F(KeyboardTest, RepliesSecretsAndWhatIsEmptyOrRefusedAreNotTyped) {
  ServerTypes(1, wire::kWriteReply);
  ServerTypes(2, wire::kWriteSecret);
  keyboard().Type({.serial = 3}, world_.now);
  Observer* person = world_.Observe();
  keyboard().Type({.serial = 1, .bytes = "a"}, person, world_.now);
  EXPECT_EQ(Noted(), "");
}

TEST_F(KeyboardTest, TakenOverTurnEndsAndAnotherBegins) {
  keyboard().Give({}, world_.Observe(), world_.now);
  keyboard().Give({.flags = wire::kTakeOver}, world_.Observe(), world_.now);
  EXPECT_EQ(Noted(), "K1 K0 K1 ");
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
            std::vector{wire::Refused::kType});
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

// A call of another server takes turns with the calls of this one.
class LentKeyboard : public KeyboardTest {
 protected:
  void Wants(Observer* observer) {
    keyboard().Give({.flags = wire::kTakeForCall}, observer, world_.now);
  }
};

TEST_F(LentKeyboard, WaitsUntilTheServerLendsIt) {
  Observer* call = world_.Observe();
  Wants(call);
  EXPECT_TRUE(world_.ServerHears(wire::Wanted::kType));
  EXPECT_FALSE(keyboard().held());
  ServerTypes(1);
  EXPECT_EQ(last_serial(), 1u);
  keyboard().Lend(world_.now);
  EXPECT_TRUE(keyboard().IsHeldBy(call));
  ServerTypes(2);
  EXPECT_EQ(last_serial(), 1u);
}

TEST_F(LentKeyboard, ComesAtOnceWithoutAServer) {
  world_.peers->DropServer();
  Observer* call = world_.Observe();
  Wants(call);
  EXPECT_TRUE(keyboard().IsHeldBy(call));
}

TEST_F(LentKeyboard, ComesWhenTheServerThatWasAskedIsGone) {
  Observer* call = world_.Observe();
  Wants(call);
  world_.peers->DropServer();
  keyboard().LoseServer(world_.now);
  EXPECT_TRUE(keyboard().IsHeldBy(call));
  EXPECT_FALSE(world_.grace.running());
}

TEST_F(LentKeyboard, GoesToOneCallAfterTheOther) {
  Observer* first = world_.Observe();
  Observer* second = world_.Observe();
  Wants(first);
  keyboard().Lend(world_.now);
  Wants(second);
  EXPECT_TRUE(keyboard().IsHeldBy(first));
  world_.ServerHears(wire::Wanted::kType);
  keyboard().End(wire::LeaseEnd::kGiven, world_.now);
  EXPECT_TRUE(world_.ServerHears(wire::Wanted::kType));
  EXPECT_FALSE(keyboard().held());
  keyboard().Lend(world_.now);
  EXPECT_TRUE(keyboard().IsHeldBy(second));
}

TEST_F(LentKeyboard, IsNotTakenFromAPersonButByOne) {
  Observer* call = world_.Observe();
  Observer* person = world_.Observe();
  keyboard().Give({}, person, world_.now);
  Wants(call);
  EXPECT_TRUE(keyboard().IsHeldBy(person));
  keyboard().End(wire::LeaseEnd::kGiven, world_.now);
  EXPECT_FALSE(keyboard().held()) << "nobody has asked again";
  Wants(call);
  keyboard().Lend(world_.now);
  ASSERT_TRUE(keyboard().IsHeldBy(call));
  keyboard().Give({}, person, world_.now);
  EXPECT_TRUE(keyboard().IsHeldBy(person));
}

TEST_F(LentKeyboard, ItsTurnIsNoPersonsAndWhatItTypesIsTheAgents) {
  Observer* call = world_.Observe();
  Wants(call);
  keyboard().Lend(world_.now);
  keyboard().Type({.serial = 7, .bytes = "x\n"}, call, world_.now);
  keyboard().End(wire::LeaseEnd::kGiven, world_.now);
  EXPECT_EQ(Noted(), "T0 ");
}

// Otherwise the server would wait for the end of a turn that never begins.
TEST_F(LentKeyboard, TheServerIsToldThatTheCallHasGone) {
  Observer* call = world_.Observe();
  Wants(call);
  world_.ServerHears(wire::Wanted::kType);
  call->wanted.reset();
  keyboard().Lend(world_.now);
  EXPECT_FALSE(keyboard().held());
  EXPECT_TRUE(world_.ServerHears(wire::Lease::kType));
}

TEST_F(LentKeyboard, TheCallIsToldWhenItsInputHasBeenRead) {
  Observer* call = world_.Observe();
  Wants(call);
  keyboard().Lend(world_.now);
  keyboard().Type({.serial = 7, .bytes = "x\n"}, call, world_.now);
  EXPECT_EQ(call->unread, 7u);
  ASSERT_TRUE(testing::Eventually(testing::Seconds(20), [&] {
    world_.peers->SendReceipt(MonotonicNow());
    return call->unread == 0;
  }));
  auto heard = PartsWorld::Heard(world_.theirs[0].get());
  EXPECT_EQ(std::count(heard.begin(), heard.end(), wire::Consumed::kType), 1);
}

TEST_F(LentKeyboard, PeersAreToldThatItIsNoPerson) {
  Observer* call = world_.Observe();
  Wants(call);
  keyboard().Lend(world_.now);
  static char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  wire::Packet packet;
  wire::Lease lease;
  while (wire::ReceivePacket(world_.server.get(), buffer, sizeof buffer,
                             &packet) == wire::Receive::kPacket) {
    if (packet.header.type == wire::Lease::kType) {
      lease = wire::DecodeAs<wire::Lease>(packet);
    }
  }
  EXPECT_EQ(lease.flags, wire::kLeaseHeld);
  EXPECT_EQ(lease.info.for_call, 1);
}

}  // namespace
}  // namespace glasstty::holder

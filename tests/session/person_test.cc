#include "session/person.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "testing/fake_holder.h"

namespace glasstty::session {
namespace {

using std::chrono::seconds;

constexpr Time kStart{seconds(100)};

wire::LeaseInfo Info(uint32_t serial, uint32_t keys, Time since,
                     const char* label = "attach pts/3") {
  wire::LeaseInfo info{.serial = serial, .writes = keys};
  info.since_ns = static_cast<uint64_t>(since.time_since_epoch().count());
  info.how = wire::LeaseEnd::kGiven;
  std::strncpy(info.label, label, sizeof info.label - 1);
  return info;
}

// Agents are shown the name that another process gives itself.
TEST(Person, ComesByAWordOfPlainLetters) {
  const struct {
    const char* label;
    const char* via;
  } kRows[] = {{"attach pts/3", "attach"},
               {"view-2", "view-2"},
               {"az09-", "az09-"},
               {"Attach", "another program"},
               {"", "another program"},
               {"\x1b[31mred", "another program"},
               {"a_b", "a"},
               {"x:9/", "x"}};
  for (const auto& row : kRows) {
    Person person;
    person.Met(0);
    person.Take(Info(1, 0, kStart, row.label), true, kStart);
    EXPECT_EQ(person.via(), row.via) << row.label;
  }
}

TEST(Person, ComesAndGoes) {
  Person person;
  person.Met(0);
  person.Take(Info(1, 0, kStart), true, kStart);
  EXPECT_TRUE(person.here());
  EXPECT_EQ(person.via(), "attach");
  EXPECT_EQ(person.begun(), 1u);
  person.Take(Info(2, 31, kStart), false, kStart + seconds(48));
  EXPECT_FALSE(person.here());
  EXPECT_EQ(person.visits().turns, 1u);
  EXPECT_EQ(person.visits().keys, 31u);
  EXPECT_EQ(person.visits().time, seconds(48));
  // The same once more says nothing new.
  person.Take(Info(2, 31, kStart), false, kStart + seconds(50));
  EXPECT_EQ(person.visits().turns, 1u);
}

TEST(Person, MayHaveBeenThereBetweenTwoPackets) {
  Person person;
  person.Met(0);
  person.Take(Info(2, 5, kStart), false, kStart + seconds(3));
  EXPECT_EQ(person.begun(), 1u);
  EXPECT_EQ(person.visits().turns, 1u);
  EXPECT_EQ(person.visits().keys, 5u);
}

TEST(Person, IsFollowedByAnotherOne) {
  Person person;
  person.Met(0);
  person.Take(Info(1, 0, kStart), true, kStart);
  person.Take(Info(3, 4, kStart + seconds(9), "view"), true,
              kStart + seconds(9));
  EXPECT_EQ(person.via(), "view");
  EXPECT_EQ(person.begun(), 2u);
  EXPECT_EQ(person.visits().how, wire::LeaseEnd::kTaken);
}

TEST(Person, DidNothingBeforeTheServerCame) {
  Person person;
  person.Take(Info(5, 100, kStart), true, kStart + seconds(1));
  person.Met(5);
  EXPECT_TRUE(person.here());
  person.Take(Info(6, 103, kStart), false, kStart + seconds(2));
  EXPECT_EQ(person.visits().keys, 3u);
  Person gone;
  gone.Take(Info(6, 103, kStart), false, kStart + seconds(2));
  EXPECT_EQ(gone.visits().turns, 0u);
}

// Another process has chosen it, and it stands in a header.
TEST(Person, HasAPlainName) {
  Person person;
  person.Met(0);
  person.Take(Info(1, 0, kStart, "a b) | exited=0"), true, kStart);
  EXPECT_EQ(person.via(), "a");
  person.Take(Info(3, 0, kStart, "\x1b[2J"), true, kStart);
  EXPECT_EQ(person.via(), "another program");
}

wire::LeaseInfo CallInfo(uint32_t serial, uint32_t keys) {
  wire::LeaseInfo info = Info(serial, keys, kStart, "server");
  info.for_call = 1;
  return info;
}

constexpr uint64_t kMine = wire::kLeaseHeld | wire::kLeaseYours;

TEST(Person, IsNotACallOfAnotherServer) {
  Person person;
  person.Met(0);
  person.Take(CallInfo(1, 0), wire::kLeaseHeld, kStart);
  EXPECT_TRUE(person.is_call());
  EXPECT_FALSE(person.here());
  EXPECT_EQ(person.begun(), 0u);
  EXPECT_EQ(person.typed(), 0u);
  person.Take(CallInfo(2, 3), 0, kStart);
  EXPECT_FALSE(person.is_call());
  EXPECT_EQ(person.visits().calls, 1u);
  EXPECT_EQ(person.visits().turns, 0u);
  EXPECT_EQ(person.typed(), 3u);
  // A whole turn between two packets.
  person.Take(CallInfo(4, 5), 0, kStart);
  EXPECT_EQ(person.visits().calls, 2u);
  EXPECT_EQ(person.typed(), 5u);
  // The keys of a person are counted apart.
  person.Take(Info(5, 5, kStart), wire::kLeaseHeld, kStart);
  person.Take(Info(6, 9, kStart), 0, kStart);
  EXPECT_EQ(person.visits().turns, 1u);
  EXPECT_EQ(person.visits().keys, 4u);
  EXPECT_EQ(person.typed(), 9u);
}

TEST(Person, MayTakeTheKeyboardFromACall) {
  Person person;
  person.Met(0);
  person.Take(CallInfo(1, 0), kMine, kStart);
  EXPECT_TRUE(person.is_own_call());
  person.Take(Info(3, 2, kStart), wire::kLeaseHeld, kStart);
  EXPECT_FALSE(person.is_own_call());
  EXPECT_TRUE(person.here());
  EXPECT_EQ(person.begun(), 1u);
  EXPECT_EQ(person.visits().calls, 0u) << "an own call is no news";
  person.Take(Info(4, 3, kStart), 0, kStart);
  EXPECT_EQ(person.visits().keys, 1u);
}

TEST(Person, IsNotHiddenByACallThatCameAfter) {
  Person person;
  person.Met(0);
  person.Take(CallInfo(3, 7), wire::kLeaseHeld, kStart);
  EXPECT_TRUE(person.is_call());
  EXPECT_EQ(person.begun(), 1u);
  EXPECT_EQ(person.visits().turns, 1u);
  person.Take(CallInfo(4, 8), 0, kStart);
  EXPECT_EQ(person.visits().turns, 1u);
  EXPECT_EQ(person.visits().calls, 1u);
  // The same after one that was seen to come.
  person.Take(Info(5, 8, kStart), wire::kLeaseHeld, kStart);
  person.Take(CallInfo(7, 9), wire::kLeaseHeld, kStart);
  EXPECT_FALSE(person.here());
  EXPECT_EQ(person.begun(), 2u);
  EXPECT_EQ(person.visits().turns, 2u);
}

TEST(Person, IsNotACallAnyMoreWithoutAConnection) {
  Person person;
  person.Take(CallInfo(1, 0), kMine, kStart);
  person.Lost();
  EXPECT_FALSE(person.is_own_call());
}

// The holder refuses what a call types before it has lent the keyboard again.
TEST(Person, IsNotACallAnyMoreOnceItGivesTheKeyboardBack) {
  Person person;
  person.Met(0);
  person.Take(CallInfo(1, 0), kMine, kStart);
  person.GiveBack();
  EXPECT_FALSE(person.is_own_call());
  // The same once more, from before the holder knew.
  person.Take(CallInfo(1, 2), kMine, kStart);
  EXPECT_FALSE(person.is_own_call());
  // The next call of this server follows so soon that the end is not seen.
  person.Take(CallInfo(3, 2), kMine, kStart);
  EXPECT_TRUE(person.is_own_call());
  person.GiveBack();
  person.Take(CallInfo(4, 3), 0, kStart);
  EXPECT_EQ(person.visits().calls, 0u) << "an own call is no news";
  EXPECT_EQ(person.begun(), 0u);
}

TEST(SharedSession, LetsAnswersToTheProgramPass) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print("\x1b[c");
  std::vector<wire::Write> writes = holder.AllSent<wire::Write>();
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_EQ(writes[0].flags, wire::kWriteReply);
}

// A prompt that a person has been at is not known to be empty, until what they
// typed has been read and the shell has begun a new line.
TEST(SharedSession, KnowsNothingOfTheLineAPersonWasAt) {
  FakeHolder holder;
  SessionRef session = holder.Open({6, 40});
  auto prompt = [&holder] {
    holder.Print(
        "\r\n\x1b]133;P;k=l;n0nce\x07\x1b]133;A;n0nce\x07$ "
        "\x1b]133;B;n0nce\x07");
  };
  prompt();
  holder.Lease(true, 1);
  EXPECT_TRUE(session->input().typed_at_prompt());
  EXPECT_FALSE(session->input().prompt().at_fresh_prompt());
  holder.Lease(false, 2, 3);
  EXPECT_TRUE(session->input().typed_at_prompt());
}

TEST(SharedSession, LendsItsTurnToACallOfAnotherServer) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  TypingTurn* turn = session->mutable_input()->turn();
  int own = 0;  // callers are addresses
  ASSERT_TRUE(turn->Take(&own));
  holder.Want();
  EXPECT_EQ(holder.CountSent(wire::Lend::kType), 0u);
  session->mutable_input()->turn()->Release();
  EXPECT_EQ(holder.CountSent(wire::Lend::kType), 1u);
  holder.LeaseForCall(true, 1);
  EXPECT_FALSE(turn->IsFreeFor(&own));
  EXPECT_FALSE(session->person().here());
  holder.LeaseForCall(false, 2, 3);
  EXPECT_TRUE(turn->IsFreeFor(&own));
  EXPECT_TRUE(session->input().typed_at_prompt()) << "by the other";
}

// The one that lent it may have died since.
TEST(SharedSession, WaitsForACallThatHasTheKeyboardAlready) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  int own = 0;
  holder.LeaseForCall(true, 1);
  EXPECT_FALSE(session->input().turn().IsFreeFor(&own));
  holder.LeaseForCall(false, 2);
  EXPECT_TRUE(session->input().turn().IsFreeFor(&own));
}

TEST(SharedSession, GetsItsTurnBackWhenTheHolderIsGone) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  int own = 0;
  holder.Want();
  EXPECT_FALSE(session->input().turn().IsFreeFor(&own));
  holder.Vanish();
  EXPECT_TRUE(session->input().turn().IsFreeFor(&own));
}

TEST(SharedSession, GetsItsTurnBackWhenItsMachineCannotBeReached) {
  FakeHolder holder;
  holder.LiveElsewhere();
  SessionRef session = holder.Open();
  TypingTurn* turn = session->mutable_input()->turn();
  int own = 0;
  holder.Want();
  EXPECT_FALSE(turn->IsFreeFor(&own));
  holder.Leave();
  EXPECT_TRUE(turn->IsFreeFor(&own));
  // The holder asks again once it is reached.
  holder.Return();
  holder.Want();
  EXPECT_EQ(holder.CountSent(wire::Lend::kType), 2u);
}

// The relay would drop the message that lends it.
TEST(SharedSession, LendsNothingWhileItsMachineCannotBeReached) {
  FakeHolder holder;
  holder.LiveElsewhere();
  SessionRef session = holder.Open();
  TypingTurn* turn = session->mutable_input()->turn();
  int own = 0;
  ASSERT_TRUE(turn->Take(&own));
  holder.Want();
  holder.Leave();
  turn->Release();
  EXPECT_EQ(holder.CountSent(wire::Lend::kType), 0u);
  EXPECT_TRUE(turn->IsFreeFor(&own));
}

// Nobody would take back what is lent when there is no connection.
TEST(SharedSession, LendsNothingToACallThatAskedOverALostConnection) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  int own = 0;
  TypingTurn* turn = session->mutable_input()->turn();
  ASSERT_TRUE(turn->Take(&own));
  holder.Want();
  holder.Vanish();
  turn->Release();
  EXPECT_TRUE(turn->IsFreeFor(&own));
}

}  // namespace
}  // namespace glasstty::session

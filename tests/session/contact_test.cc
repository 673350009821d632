#include "session/contact.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

namespace glasstty::session {
namespace {

using std::chrono::seconds;
using Connection = Contact::Connection;

const Time kNow{seconds(100)};

TEST(Contact, TellsHowLongItWasAway) {
  Contact contact;
  contact.WentAway(kNow + seconds(1));
  EXPECT_EQ(contact.connection(), Connection::kAway);
  EXPECT_EQ(contact.away_since(), kNow + seconds(1));
  contact.CameBack(kNow + seconds(4), 9);
  EXPECT_EQ(contact.connection(), Connection::kHere);
  EXPECT_EQ(contact.away_since(), std::nullopt);
  EXPECT_EQ(contact.absence().number, 1u);
  EXPECT_EQ(contact.absence().lasted, seconds(3));
  EXPECT_EQ(contact.absence().printed, 9u);
}

TEST(Contact, CountsNoAbsenceWithoutOne) {
  Contact contact;
  contact.CameBack(kNow, 0);
  EXPECT_EQ(contact.absence().number, 0u);
}

// The relay that greets is there; its connection need not be.
TEST(Contact, IsAwayOnceARelayHasGreeted) {
  Contact contact;
  EXPECT_FALSE(contact.CutOff(kNow));
  EXPECT_TRUE(contact.CutOff(kNow + seconds(1)));
  EXPECT_EQ(contact.cut_off_since(), kNow);
  contact.Greeted();
  EXPECT_EQ(contact.cut_off_since(), std::nullopt);
  EXPECT_EQ(contact.away_since(), kNow);
  EXPECT_FALSE(contact.CutOff(kNow + seconds(2)));
  EXPECT_EQ(contact.away_since(), kNow);
  EXPECT_EQ(contact.cut_off_since(), kNow + seconds(2));
}

TEST(Contact, StaysCutOffButIsNotAwayWhenItIsGivenUp) {
  Contact contact;
  contact.CutOff(kNow);
  contact.GiveUp();
  EXPECT_EQ(contact.away_since(), std::nullopt);
  EXPECT_EQ(contact.cut_off_since(), kNow);
}

}  // namespace
}  // namespace glasstty::session

// Tests that writes whose connection breaks are settled by what has arrived.
#include "far/in_flight_writes.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace glasstty::far {
namespace {

using Serials = std::vector<uint64_t>;

TEST(InFlightWrites, NothingIsDoubtfulWhileTheConnectionLasts) {
  InFlightWrites writes;
  writes.Sent(1);
  InFlightWrites::Verdict verdict = writes.Settle(0);
  EXPECT_TRUE(verdict.lost.empty());
  EXPECT_FALSE(verdict.any_arrived);
}

TEST(InFlightWrites, AreLostBehindTheLastThatArrived) {
  InFlightWrites writes;
  for (uint64_t serial : {4, 5, 6}) writes.Sent(serial);
  writes.Break();
  InFlightWrites::Verdict verdict = writes.Settle(4);
  EXPECT_EQ(verdict.lost, (Serials{5, 6}));
  EXPECT_TRUE(verdict.any_arrived);
}

TEST(InFlightWrites, ReadOrRefusedOnesAreNotDoubted) {
  InFlightWrites writes;
  for (uint64_t serial : {1, 2, 3, 4}) writes.Sent(serial);
  writes.Read(2);
  writes.Refused(3);
  writes.Break();
  InFlightWrites::Verdict verdict = writes.Settle(0);
  EXPECT_EQ(verdict.lost, Serials{4});
  EXPECT_FALSE(verdict.any_arrived);
}

TEST(InFlightWrites, AreSettledOnce) {
  InFlightWrites writes;
  writes.Sent(1);
  writes.Break();
  writes.Settle(0);
  EXPECT_TRUE(writes.Settle(0).lost.empty());
}

TEST(InFlightWrites, DoubtsOfSeveralConnectionsAddUp) {
  InFlightWrites writes;
  writes.Sent(1);
  writes.Break();
  writes.Sent(2);
  writes.Break();
  EXPECT_EQ(writes.Settle(0).lost, (Serials{1, 2}));
}

TEST(InFlightWrites, AServerDoubtsARange) {
  InFlightWrites writes;
  writes.Doubt(7, 9);
  InFlightWrites::Verdict verdict = writes.Settle(7);
  EXPECT_EQ(verdict.lost, (Serials{8, 9}));
  EXPECT_TRUE(verdict.any_arrived);
}

TEST(InFlightWrites, ARangeThatIsTooLongOrReversedIsIgnored) {
  InFlightWrites writes;
  writes.Doubt(0, std::numeric_limits<uint64_t>::max());
  writes.Doubt(9, 7);
  EXPECT_TRUE(writes.Settle(0).lost.empty());
}

TEST(InFlightWrites, AreForgottenWithTheirServer) {
  InFlightWrites writes;
  writes.Sent(1);
  writes.Break();
  writes.Sent(2);
  writes.Clear();
  writes.Break();
  EXPECT_TRUE(writes.Settle(0).lost.empty());
}

}  // namespace
}  // namespace glasstty::far

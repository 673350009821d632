#include "session/life.h"

#include <gtest/gtest.h>

#include <chrono>

#include "support/status.h"

namespace glasstty::session {
namespace {

using Phase = Life::Phase;

const Time kMet{std::chrono::seconds(100)};

TEST(Life, GoesFromTheStartToTheEndOfTheHolder) {
  Life life(kMet);
  EXPECT_EQ(life.phase(), Phase::kStarting);
  EXPECT_FALSE(life.started());
  life.Started(42);
  EXPECT_EQ(life.phase(), Phase::kRunning);
  EXPECT_EQ(life.leader_pid(), 42);
  life.Exited({.offset = 7, .errors_offset = 0, .status = 256});
  EXPECT_EQ(life.phase(), Phase::kExited);
  EXPECT_FALSE(life.ended());
  life.HolderGone();
  EXPECT_EQ(life.phase(), Phase::kEnded);
  EXPECT_EQ(life.exit_status(), 256);
  EXPECT_EQ(life.exit()->offset, 7u);
}

TEST(Life, IsLostWithoutAStatus) {
  Life life(kMet);
  life.Started(42);
  life.HolderGone();
  EXPECT_EQ(life.phase(), Phase::kLost);
  EXPECT_TRUE(life.ended());
  EXPECT_EQ(life.exit(), nullptr);
}

TEST(Life, KnowsTheStatusThatTheFilesTellLater) {
  Life life(kMet);
  life.HolderGone();
  life.Exited({.offset = 0, .errors_offset = 0, .status = 0});
  EXPECT_EQ(life.phase(), Phase::kEnded);
}

TEST(Life, KeepsTheEndOfTheLogsThatWasToldFirst) {
  Life life(kMet);
  life.Exited({.offset = 7, .errors_offset = 3, .status = 0});
  life.Exited({.offset = 7, .errors_offset = 9, .status = 0});
  EXPECT_EQ(life.exit()->errors_offset, 3u);
}

TEST(Life, IsNotStartedByAFailure) {
  Life life(kMet);
  life.CannotStart(NotFound("no such file"));
  EXPECT_EQ(life.phase(), Phase::kStarting);
  EXPECT_FALSE(life.start_error().ok());
}

TEST(Life, WaitsForAReportOfWhatACloseLeaves) {
  Life life(kMet);
  life.CloseAsked();
  EXPECT_TRUE(life.close_asked());
  EXPECT_FALSE(life.close_reported());
  life.CloseReported({ProcessInfo{}});
  EXPECT_TRUE(life.close_reported());
  EXPECT_EQ(life.survivors().size(), 1u);
}

// A killed holder tells nothing, and what it reported before may have changed.
TEST(Life, ItsEndIsToldByTheHolderAlone) {
  Life killed(kMet);
  killed.CloseReported({ProcessInfo{}});
  killed.HolderGone();
  EXPECT_FALSE(killed.end_told());
  Life done(kMet);
  done.EndTold();
  done.HolderGone();
  EXPECT_TRUE(done.end_told());
  EXPECT_TRUE(done.survivors().empty());
}

TEST(Life, WaitsForNoReportOnceItHasEnded) {
  Life life(kMet);
  life.HolderGone();
  EXPECT_TRUE(life.close_reported());
  life.CloseAsked();
  EXPECT_TRUE(life.close_reported());
}

}  // namespace
}  // namespace glasstty::session

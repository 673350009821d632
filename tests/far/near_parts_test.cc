// Tests the parts of a session at the near end: stored output, the known facts
// about the holder, observers.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>

#include "far/holder_record.h"
#include "far/near_logs.h"
#include "far/near_observers.h"
#include "testing/system.h"
#include "wire/launch.h"

namespace glasstty::far {
namespace {

using testing::ReadWholeFile;
using testing::TempDir;
using Stored = NearLogs::Stored;

constexpr uint64_t kCap = 64 << 20;

class NearPart : public ::testing::Test {
 protected:
  TempDir dir_;
  UniqueFd fd_{open(dir_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  wire::LaunchSpec spec_{.rows = 10, .cols = 20};
};

class NearLogsTest : public NearPart {
 protected:
  void SetUp() override {
    ASSERT_TRUE(logs_.Create());
    logs_.BeginCredit();
  }
  std::optional<uint64_t> Credit() { return logs_.Credit(0, server_); }

  holder::Link server_{fd_.get(), UniqueFd()};
  NearLogs logs_{fd_.get(), kCap, /*has_err=*/false};
};

TEST_F(NearLogsTest, StoreWhatIsNew) {
  EXPECT_EQ(logs_.Store(0, 0, "abc"), Stored::kBytes);
  EXPECT_EQ(logs_.Store(0, 1, "bc"), Stored::kNothing);
  EXPECT_EQ(logs_.Store(0, 2, "cd"), Stored::kBytes);
  EXPECT_EQ(logs_.out().end(), 4u);
  EXPECT_EQ(ReadWholeFile(dir_.Join("out.0000000000000000")), "abcd");
}

TEST_F(NearLogsTest, KnowWhatIsMissing) {
  EXPECT_EQ(logs_.Store(0, 100, ""), Stored::kHole);
  EXPECT_EQ(logs_.out().end(), 100u);
  EXPECT_EQ(logs_.Store(0, 200, "x"), Stored::kBytes);
  EXPECT_EQ(logs_.out().end(), 201u);
}

TEST_F(NearLogsTest, RefuseWhatNobodyAskedFor) {
  EXPECT_EQ(logs_.Store(1, 0, "x"), Stored::kInvalid);
  EXPECT_EQ(logs_.Store(2, 0, "x"), Stored::kInvalid);
  EXPECT_EQ(logs_.Store(0, uint64_t{1} << 63, ""), Stored::kInvalid);
  EXPECT_EQ(logs_.Store(0, 0, std::string(kLogPiece + 1, 'x')),
            Stored::kInvalid);
  // Without credit, only one piece may be on its way.
  EXPECT_EQ(logs_.Store(0, kLogPiece, "x"), Stored::kInvalid);
  ASSERT_TRUE(Credit());
  EXPECT_EQ(logs_.Store(0, kLogPiece, "x"), Stored::kBytes);
}

TEST_F(NearLogsTest, GiveCreditByTheQuarterOfAWindow) {
  logs_.SetWindow(4000);
  EXPECT_EQ(Credit(), 4000u);
  EXPECT_EQ(Credit(), std::nullopt);
  logs_.Store(0, 0, std::string(999, 'x'));
  EXPECT_EQ(Credit(), std::nullopt);
  logs_.Store(0, 999, "x");
  EXPECT_EQ(Credit(), 5000u);
  EXPECT_EQ(logs_.furthest(), 5000u + kLogPiece);
}

TEST_F(NearPart, HolderIsRecalledByTheNextRelay) {
  HolderRecord record(fd_.get(), spec_);
  record.Remember();
  record.SetMachine("boot");
  record.Set({.leader_pid = 7, .rows = 30, .cols = 90});
  record.SetStarted({.pid = 42});
  record.SetExit({.offset = 5, .status = 256});

  HolderRecord next(fd_.get(), spec_);
  ASSERT_TRUE(next.Recall(/*err_end=*/3));
  EXPECT_EQ(next.info().leader_pid, 42);
  EXPECT_EQ(next.info().cols, 90);
  EXPECT_EQ(next.started()->pid, 42u);
  EXPECT_TRUE(next.exited());
  EXPECT_EQ(*next.exit(), (wire::Exit{5, 256, 3}));
}

// Its program may have been started or not: nothing is told until the holder
// tells it.
TEST_F(NearPart, HolderThatWasNeverReachedHasNotReportedAStart) {
  HolderRecord(fd_.get(), spec_).Remember();
  HolderRecord next(fd_.get(), spec_);
  ASSERT_TRUE(next.Recall(0));
  EXPECT_EQ(next.started(), std::nullopt);
}

TEST_F(NearPart, HolderThatIsForgottenIsNotRecalled) {
  HolderRecord record(fd_.get(), spec_);
  record.Remember();
  record.Forget();
  EXPECT_FALSE(HolderRecord(fd_.get(), spec_).Recall(0));
}

TEST_F(NearPart, ExitStaysKnownWhenTheHolderIsReachedAgain) {
  HolderRecord record(fd_.get(), spec_);
  record.SetExit({.offset = 5, .status = 0});
  record.Set({.exited = 0});
  EXPECT_TRUE(record.exited());
}

TEST_F(NearPart, LossIsExplained) {
  HolderRecord record(fd_.get(), spec_);
  record.SetMachine("boot");
  record.ExplainLoss(/*is_missing=*/true);
  EXPECT_EQ(ReadWholeFile(dir_.Join(wire::kLostName)),
            "nothing of it is there any more");
  record.Set({});
  record.ExplainLoss(/*is_missing=*/true);
  EXPECT_EQ(ReadWholeFile(dir_.Join(wire::kLostName)),
            "nothing of it is there any more");
  record.SetMachine("next boot");
  record.ExplainLoss(/*is_missing=*/true);
  EXPECT_EQ(ReadWholeFile(dir_.Join(wire::kLostName)),
            "the machine was restarted");
}

TEST_F(NearPart, ObserversAreAcceptedWhileThereIsRoom) {
  NearObservers observers(fd_.get());
  ASSERT_TRUE(observers.Listen());
  std::vector<UniqueFd> theirs;
  for (size_t i = 0; i <= wire::kMaxObservers; ++i) {
    theirs.push_back(wire::ConnectObserver(fd_.get()));
    ASSERT_TRUE(theirs.back().valid());
    observers.Accept(/*welcome=*/true);
  }
  EXPECT_EQ(observers.at(0), nullptr);  // the server's part
  EXPECT_NE(observers.at(1), nullptr);
  EXPECT_NE(observers.at(wire::kMaxObservers), nullptr);
  EXPECT_EQ(observers.at(wire::kMaxObservers + 1), nullptr);
  char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  wire::Packet packet;
  ASSERT_EQ(
      wire::ReceivePacket(theirs.back().get(), buffer, sizeof buffer, &packet),
      wire::Receive::kPacket);
  EXPECT_EQ(packet.header.type, wire::Busy::kType);
}

TEST_F(NearPart, ObserverThatGoesMakesRoom) {
  NearObservers observers(fd_.get());
  ASSERT_TRUE(observers.Listen());
  UniqueFd first = wire::ConnectObserver(fd_.get());
  observers.Accept(true);
  observers.Drop(1);
  EXPECT_EQ(observers.at(1), nullptr);
  UniqueFd unwelcome = wire::ConnectObserver(fd_.get());
  observers.Accept(/*welcome=*/false);
  EXPECT_EQ(observers.at(1), nullptr);
  UniqueFd second = wire::ConnectObserver(fd_.get());
  observers.Accept(true);
  EXPECT_NE(observers.at(1), nullptr);
}

}  // namespace
}  // namespace glasstty::far

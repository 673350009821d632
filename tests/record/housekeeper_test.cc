#include "record/housekeeper.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "testing/rounds.h"
#include "wire/session_files.h"

namespace glasstty::record {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using std::chrono::seconds;

constexpr uint64_t kMib = 1 << 20;

class HousekeeperTest : public testing::Test {
 protected:
  HousekeeperTest() {
    std::string path = (fs::temp_directory_path() / "house-XXXXXX").string();
    base_ = mkdtemp(path.data());
    setenv("GLASSTTY_STATE_DIR", base_.c_str(), 1);
    auto dir = StateDir::Open();
    if (dir.ok()) dir_.emplace(*std::move(dir));
  }
  ~HousekeeperTest() override {
    unsetenv("GLASSTTY_STATE_DIR");
    fs::remove_all(base_);
  }

  void Start(uint64_t cap) {
    house_ = std::make_unique<Housekeeper>(&loop_, &*dir_, cap, [this] {
      ++asked_for_room_;
      if (to_be_let_go_.empty()) return false;
      End(std::exchange(to_be_let_go_, ""));
      return true;
    });
    house_->Start();
    loop_.RunReady();
  }
  // Makes a session with a log of that size.
  std::string Make(uint64_t bytes) {
    auto id = dir_->Create();
    EXPECT_TRUE(id.ok());
    Folder::Hold folder = dir_->OpenSession(*id)->Open();
    EXPECT_TRUE(ReplaceFileAt(folder->get(), wire::kMetaName, "{}"));
    Grow(*id, bytes);
    return *id;
  }
  void Grow(const std::string& id, uint64_t bytes) {
    std::string path = base_ + "/" + id + "/" + wire::SegmentName("out", 0);
    UniqueFd log(open(path.c_str(), O_WRONLY | O_CREAT, 0600));
    EXPECT_EQ(ftruncate(log.get(), static_cast<off_t>(bytes)), 0);
  }
  void End(const std::string& id) {
    dir_->MoveToEnded(id);
    if (house_) house_->Added(id);
  }
  // Makes it look unchanged for this long.
  void Age(const std::string& id, std::chrono::seconds by) {
    timespec then[2] = {};
    then[0].tv_sec = then[1].tv_sec = time(nullptr) - by.count();
    ASSERT_EQ(utimensat(AT_FDCWD, dir_->PathOf(id).c_str(), then, 0), 0);
  }
  bool IsThere(const std::string& id) { return fs::exists(dir_->PathOf(id)); }
  void Pass(Duration time) {
    clock_.Advance(time);
    loop_.RunReady();
  }

  std::string base_;
  std::optional<StateDir> dir_;
  ManualClock clock_;
  Loop loop_{&clock_};
  std::unique_ptr<Housekeeper> house_;
  int asked_for_room_ = 0;
  std::string to_be_let_go_;
};

// Many small sessions use up a file system's inodes long before its bytes.
TEST_F(HousekeeperTest, EndedSessionsAreLimitedInNumber) {
  std::vector<std::string> ids;
  for (size_t i = 0; i < Housekeeper::kMostKept + 5; ++i) {
    ids.push_back(Make(1));
    dir_->MoveToEnded(ids.back());
    Age(ids.back(), hours(24) - seconds(i));
  }
  Start(1000 * kMib);
  EXPECT_EQ(dir_->ListEnded()->size(), Housekeeper::kMostKept);
  EXPECT_LE(Housekeeper::kMostKept, 1000u);
  EXPECT_FALSE(IsThere(ids[4]));
  EXPECT_TRUE(IsThere(ids[5]));
}

TEST_F(HousekeeperTest, TheOldestEndedSessionLeavesFirst) {
  std::string live = Make(2 * kMib), old = Make(3 * kMib),
              young = Make(3 * kMib);
  End(young);
  End(old);
  Age(old, hours(1));
  Start(7 * kMib);
  EXPECT_FALSE(IsThere(old));
  EXPECT_TRUE(IsThere(young));
  EXPECT_TRUE(IsThere(live));
  EXPECT_LE(house_->bytes(), 7 * kMib);
}

TEST_F(HousekeeperTest, WhatHasJustEndedIsLookedAtAtOnce) {
  Start(4 * kMib);
  std::string first = Make(3 * kMib);
  End(first);
  loop_.RunReady();
  EXPECT_TRUE(IsThere(first));
  std::string second = Make(3 * kMib);
  End(second);
  loop_.RunReady();
  EXPECT_FALSE(IsThere(first));
  EXPECT_TRUE(IsThere(second));
}

TEST_F(HousekeeperTest, ASessionThatLivesIsNeverDeleted) {
  std::string live = Make(9 * kMib), ended = Make(kMib);
  End(ended);
  Start(4 * kMib);
  EXPECT_TRUE(IsThere(live));
  EXPECT_FALSE(IsThere(ended));
  EXPECT_GE(asked_for_room_, 1);
  // Its owner can let it go.
  to_be_let_go_ = live;
  Pass(Housekeeper::kEvery);
  EXPECT_FALSE(IsThere(live));
  EXPECT_LE(house_->bytes(), 4 * kMib);
}

TEST_F(HousekeeperTest, NothingIsKeptForMoreThanAWeek) {
  std::string old = Make(10), young = Make(10);
  End(old);
  End(young);
  Age(old, Housekeeper::kLongestKept + seconds(60));
  Age(young, Housekeeper::kLongestKept - seconds(60));
  Start(100 * kMib);
  EXPECT_FALSE(IsThere(old));
  EXPECT_TRUE(IsThere(young));
}

TEST_F(HousekeeperTest, ADirectoryThatWasNeverFinishedGoesAfterAWhile) {
  auto unfinished = dir_->Create(), in_the_making = dir_->Create(),
       claimed = dir_->Create();
  ASSERT_TRUE(unfinished.ok() && in_the_making.ok() && claimed.ok());
  Age(*unfinished, hours(2));
  Age(*claimed, hours(2));
  auto other = StateDir::Open();
  ASSERT_TRUE(other.ok() && other->Claim(*claimed));
  Start(100 * kMib);
  EXPECT_FALSE(IsThere(*unfinished));
  EXPECT_TRUE(IsThere(*in_the_making));
  EXPECT_TRUE(IsThere(*claimed));
}

// Every half minute a session ends, half of them with much output, beside one
// that is kept and grows to half of the cap.
TEST_F(HousekeeperTest, ADayOfSessionsStaysBelowTheCap) {
  constexpr uint64_t kCap = 256 * kMib;
  std::mt19937 random(20261123);
  Start(kCap);
  std::string kept = Make(0);
  uint64_t most = 0;
  const seconds pause(Rounds(120, 30));
  auto day = std::chrono::duration_cast<seconds>(hours(24)) / pause;
  for (int64_t i = 0; i < day; ++i) {
    Grow(kept,
         kCap / 2 * static_cast<uint64_t>(i) / static_cast<uint64_t>(day));
    uint64_t bytes =
        random() % 2 == 0 ? random() % (8 * kMib) : random() % 9999;
    End(Make(bytes));
    Pass(pause);
    most = std::max(most, house_->bytes());
    ASSERT_LE(house_->bytes(), kCap) << i;
  }
  EXPECT_GT(most, kCap - 16 * kMib) << "the room there is is used";
  EXPECT_TRUE(IsThere(kept));
  // Measure the disk, too, instead of relying on its own count.
  uint64_t on_disk = 0;
  for (const auto& entry : fs::recursive_directory_iterator(base_)) {
    if (entry.is_regular_file()) on_disk += entry.file_size();
  }
  EXPECT_LE(on_disk, kCap);
}

}  // namespace
}  // namespace glasstty::record

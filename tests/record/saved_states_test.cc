#include "record/saved_states.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "testing/session_files.h"

namespace glasstty::record {
namespace {

namespace fs = std::filesystem;

class SavedStates : public testing::Test {
 protected:
  SavedStates() {
    std::string path = (fs::temp_directory_path() / "states-XXXXXX").string();
    path_ = mkdtemp(path.data());
    directory_ = UniqueFd(open(path_.c_str(), O_RDONLY | O_DIRECTORY));
  }
  ~SavedStates() override { fs::remove_all(path_); }

  int dir() const { return directory_.get(); }
  void Segment(uint64_t offset) { WriteSegment(dir(), offset, "bytes"); }
  void Save(uint64_t offset, uint64_t lost = 0) {
    ASSERT_TRUE(WriteSavedState(dir(), {offset, lost, "screen", "commands"}));
  }
  std::string FileOf(uint64_t offset) const {
    return path_ + "/" + wire::SegmentName("state", offset);
  }
  void Damage(uint64_t offset) { std::ofstream(FileOf(offset)) << "damaged"; }

 private:
  std::string path_;
  UniqueFd directory_;
};

TEST_F(SavedStates, AreReadAsTheyWereWritten) {
  ASSERT_TRUE(WriteSavedState(
      dir(), {4711, 12, std::string("a\0b\xff", 4), std::string(70000, 'c')}));
  auto read = ReadSavedState(dir(), 4711);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->offset, 4711u);
  EXPECT_EQ(read->lost, 12u);
  EXPECT_EQ(read->terminal, std::string("a\0b\xff", 4));
  EXPECT_EQ(read->commands, std::string(70000, 'c'));
  EXPECT_TRUE(HasSavedState(dir(), 4711));
  EXPECT_FALSE(HasSavedState(dir(), 4712));
  EXPECT_FALSE(ReadSavedState(dir(), 4712).has_value());
}

TEST_F(SavedStates, EachDamagedByteIsNoticed) {
  Save(300);
  std::ifstream file(FileOf(300), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  ASSERT_GT(bytes.size(), 14u);
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    std::ofstream(FileOf(300), std::ios::binary) << damaged;
    EXPECT_FALSE(ReadSavedState(dir(), 300).has_value()) << i;
    std::ofstream(FileOf(300), std::ios::binary) << bytes.substr(0, i);
    EXPECT_FALSE(ReadSavedState(dir(), 300).has_value()) << i;
  }
  // A copied file belongs to another position.
  std::ofstream(FileOf(301), std::ios::binary) << bytes;
  EXPECT_FALSE(ReadSavedState(dir(), 301).has_value());
}

TEST_F(SavedStates, AWholeLogIsPlayedFromItsBeginning) {
  Segment(0);
  Segment(100);
  Save(100);
  LogStart start = FindLogStart(dir());
  EXPECT_EQ(start.offset, 0u);
  EXPECT_FALSE(start.state.has_value());
}

TEST_F(SavedStates, ALogThatWasCutIsPlayedFromItsFirstByte) {
  Segment(100);
  Segment(200);
  Save(100);
  Save(200);
  LogStart start = FindLogStart(dir());
  EXPECT_EQ(start.offset, 100u);
  EXPECT_EQ(start.lost, 0u);
  EXPECT_TRUE(start.state.has_value());
}

TEST_F(SavedStates, WhatWasMissingThenIsMissingNow) {
  Segment(100);
  Save(100, /*lost=*/30);
  EXPECT_EQ(FindLogStart(dir()).lost, 30u);
}

TEST_F(SavedStates, ADamagedOneIsPassedOver) {
  Segment(100);
  Segment(200);
  Save(100);
  Save(200);
  Damage(100);
  LogStart start = FindLogStart(dir());
  EXPECT_EQ(start.offset, 200u);
  EXPECT_EQ(start.lost, 0u);
  Damage(200);
  start = FindLogStart(dir());
  EXPECT_EQ(start.offset, 100u);
  EXPECT_EQ(start.lost, 100u);
  EXPECT_FALSE(start.state.has_value());
}

TEST_F(SavedStates, ALaterOneIsOfNoUseForAnEarlierMoment) {
  Segment(100);
  Save(150);
  LogStart start = FindLogStart(dir(), 120);
  EXPECT_EQ(start.offset, 100u);
  EXPECT_EQ(start.lost, 100u);
  EXPECT_FALSE(start.state.has_value());
  start = FindLogStart(dir(), 50);
  EXPECT_EQ(start.offset, 50u);
  EXPECT_EQ(start.lost, 50u);
}

TEST_F(SavedStates, BehindAHoleTheLastOneBeforeItIsTheBestThereIs) {
  Segment(100);
  Save(100);
  Save(110);
  fs::remove(fs::path(FileOf(100)).parent_path() /
             wire::SegmentName("out", 100));
  Segment(500);
  LogStart start = FindLogStart(dir());
  EXPECT_EQ(start.offset, 500u);
  EXPECT_EQ(start.lost, 390u);
  ASSERT_TRUE(start.state.has_value());
  EXPECT_EQ(start.state->offset, 110u);
}

TEST_F(SavedStates, ThoseThatTheLogHasLeftBehindGo) {
  Segment(0);
  Save(100);
  fs::remove(fs::path(FileOf(100)).parent_path() / wire::SegmentName("out", 0));
  Segment(200);
  Save(200);
  EXPECT_FALSE(HasSavedState(dir(), 100));
  EXPECT_TRUE(HasSavedState(dir(), 200));
}

}  // namespace
}  // namespace glasstty::record

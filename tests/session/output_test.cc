#include "session/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "testing/session_files.h"

namespace glasstty::session {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class OutputTest : public ::testing::Test {
 protected:
  ~OutputTest() override { std::filesystem::remove_all(path_); }

  // The log has `bytes` at its end, and all of it has been fed.
  void Print(const std::string& bytes) {
    WriteSegment(directory_.get(), output_.feed()->end(), bytes);
    output_.Reaches(output_.feed()->end() + bytes.size(), false);
    while (output_.HasUnfed()) loop_.RunReady();
  }
  static std::string MakeDirectory() {
    std::string path = "/tmp/output_test.XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    return path;
  }

  std::string path_ = MakeDirectory();
  UniqueFd parent_{open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  record::Folder folder_{parent_.get(), path_.substr(5)};
  UniqueFd directory_{open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  ManualClock clock_;
  Loop loop_{&clock_};
  record::SessionOrigin origin_;
  int looks_ = 0;
  Output output_{&loop_,
                 origin_,
                 {&folder_, directory_.get(), "out", "lines"},
                 *terminal::Terminal::Create({.size = {3, 20}}),
                 [](std::string_view bytes) { return bytes.size(); },
                 [this] {
                   ++looks_;
                   output_.Fed(false);
                   return false;
                 }};
};

TEST_F(OutputTest, FeedsTheLogIntoItsTerminal) {
  clock_.Advance(seconds(1));
  Print("$ ls");
  EXPECT_EQ(output_.TextBeforeCursor(), "$ ls");
  EXPECT_FALSE(output_.HasUnfed());
  EXPECT_EQ(output_.last_output(), clock_.Now());
  EXPECT_EQ(looks_, 1);
}

TEST_F(OutputTest, HasUnfedOutputUntilTheLoopRuns) {
  output_.Reaches(4, false);
  EXPECT_TRUE(output_.HasUnfed());
  EXPECT_TRUE(output_.IsReadable());
}

TEST_F(OutputTest, IsAFloodWhenMuchComesForLongerThanASecond) {
  const std::string much(100'000, '\n');
  Print(much);
  EXPECT_FALSE(output_.IsFlooding());
  for (int i = 0; i < 15; ++i) {
    clock_.Advance(milliseconds(100));
    Print(much);
  }
  EXPECT_TRUE(output_.IsFlooding());
  clock_.Advance(seconds(2));
  EXPECT_FALSE(output_.IsFlooding());
}

TEST_F(OutputTest, ReplaysUpToTheEndOfTheReplay) {
  output_.SetReplayEnd(~uint64_t{0});
  EXPECT_TRUE(output_.awaits_replay());
  output_.SetReplayEnd(3);
  EXPECT_FALSE(output_.awaits_replay());
  EXPECT_TRUE(output_.replaying());
  Print("abc");
  EXPECT_FALSE(output_.replaying());
}

TEST_F(OutputTest, InheritsWhatTheEarlierReaderHasSeen) {
  EXPECT_EQ(output_.inherited_mark().offset, 0u);
  Print("seen");
  output_.InheritMark();
  EXPECT_EQ(output_.inherited_mark().offset, 4u);
}

TEST_F(OutputTest, IsRedrawnOnceTheScreenWasCleared) {
  output_.BeginWithout(7);
  EXPECT_EQ(output_.undrawn(), 7u);
  Print("\033[H\033[2J");
  EXPECT_EQ(output_.undrawn(), 0u);
  EXPECT_EQ(output_.lost_before(), 7u);
}

}  // namespace
}  // namespace glasstty::session

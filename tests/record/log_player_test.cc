#include "record/log_player.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "absl/strings/str_format.h"
#include "support/status.h"
#include "testing/session_files.h"

namespace glasstty::record {
namespace {

namespace fs = std::filesystem;

class LogPlayerTest : public testing::Test {
 protected:
  LogPlayerTest() {
    std::string path = (fs::temp_directory_path() / "log-XXXXXX").string();
    path_ = mkdtemp(path.data());
    directory_ = UniqueFd(open(path_.c_str(), O_RDONLY | O_DIRECTORY));
  }
  ~LogPlayerTest() override { fs::remove_all(path_); }

  int dir() const { return directory_.get(); }

  // Returns the steps up to the known end: "abc[24x80]d<2 lost>e".
  static std::string Play(LogPlayer* player, size_t most = 1000) {
    std::string played;
    for (;;) {
      uint64_t before = player->offset();
      auto step = player->Next([most](std::string_view bytes) {
        return std::min(most, bytes.size());
      });
      if (!step.ok()) return played + "!" + Message(step.status());
      EXPECT_EQ(step->offset, before);
      EXPECT_EQ(player->offset(), before + step->bytes.size() + step->lost);
      switch (step->kind) {
        case LogStep::Kind::kNothing:
          return played;
        case LogStep::Kind::kBytes:
          EXPECT_LE(step->bytes.size(), most);
          played += step->bytes;
          break;
        case LogStep::Kind::kSize:
          played +=
              absl::StrFormat("[%dx%d]", step->size.rows, step->size.cols);
          break;
        case LogStep::Kind::kHole:
          played += absl::StrFormat("<%d lost>", step->lost);
          break;
      }
    }
  }

  std::string path_;
  UniqueFd directory_;
};

// The log has two segments, a hole between them, and bytes in it that the disk
// did not take: "one|two" 0-7, lost 7-10, "inline" 10-16, "|three" 16-22.
constexpr char kWhole[] =
    "[1x1]one[2x2]|two<3 lost>inl[3x3]ine[4x4]|three[5x5]";

TEST_F(LogPlayerTest, PlaysTheSameWhereverTheBytesAreCut) {
  WriteSegment(dir(), 0, "one|two");
  WriteSegment(dir(), 16, "|three");
  for (size_t most = 1; most <= 22; ++most) {
    LogPlayer player(dir(), "out");
    player.AddBytes(10, "inline");
    int n = 0;
    for (uint64_t at : {0, 3, 13, 16, 22}) player.AddSize(at, {++n, n});
    player.SetEnd(22);
    EXPECT_EQ(Play(&player, most), kWhole) << most;
    EXPECT_EQ(player.lost(), 3u);
    EXPECT_EQ(player.offset(), player.end());
  }
}

TEST_F(LogPlayerTest, PlaysTheSameWhateverIsKnownOfTheEndMeanwhile) {
  WriteSegment(dir(), 0, "one|two");
  WriteSegment(dir(), 16, "|three");
  for (uint64_t known = 0; known <= 22; ++known) {
    LogPlayer player(dir(), "out");
    int n = 0;
    for (uint64_t at : {0, 3, 13, 16, 22}) player.AddSize(at, {++n, n});
    player.SetEnd(known);
    // Bytes that the disk did not take are reported while they are due, or
    // before.
    if (known >= 10) player.AddBytes(10, "inline");
    std::string played = Play(&player);
    if (known < 10) player.AddBytes(10, "inline");
    player.SetEnd(22);
    played += Play(&player);
    // A hole may be reported in parts.
    for (int part : {1, 2}) {
      std::string parts = absl::StrFormat("<%d lost><%d lost>", part, 3 - part);
      if (size_t at = played.find(parts); at != std::string::npos) {
        played.replace(at, parts.size(), "<3 lost>");
      }
    }
    EXPECT_EQ(played, kWhole) << known;
  }
}

TEST_F(LogPlayerTest, PlaysTheSameFromEveryPlace) {
  WriteSegment(dir(), 0, "one|two");
  WriteSegment(dir(), 16, "|three");
  const std::string bytes = "one|two???inline|three";
  for (uint64_t from = 0; from <= 22; ++from) {
    LogPlayer player(dir(), "out");
    player.AddBytes(10, "inline");
    player.AddSize(3, {2, 2});
    player.SkipTo(from);
    player.SetEnd(22);
    std::string expected = bytes.substr(from);
    uint64_t hole =
        std::clamp<uint64_t>(10 - std::min<uint64_t>(from, 10), 0, 3);
    if (hole > 0) {
      expected.replace(expected.find('?'), hole,
                       absl::StrFormat("<%d lost>", hole));
    }
    expected.insert(from < 3 ? 3 - from : 0, "[2x2]");
    EXPECT_EQ(Play(&player), expected) << from;
    EXPECT_EQ(player.lost(), from + hole);
  }
}

TEST_F(LogPlayerTest, GivesASizeBehindTheLastByteWithoutAnother) {
  WriteSegment(dir(), 0, "text");
  LogPlayer player(dir(), "out");
  player.SetEnd(4);
  EXPECT_EQ(Play(&player), "text");
  EXPECT_EQ(player.TakeSize(), std::nullopt);
  player.AddSize(4, {24, 80});
  player.AddSize(5, {25, 81});
  EXPECT_EQ(player.TakeSize(), (terminal::Size{24, 80}));
  EXPECT_EQ(player.TakeSize(), std::nullopt);
}

TEST_F(LogPlayerTest, WaitsForWhatTheDiskDoesNotHaveYet) {
  WriteSegment(dir(), 0, "one");
  LogPlayer player(dir(), "out");
  player.SetEnd(6);
  EXPECT_EQ(Play(&player), "one");
  EXPECT_EQ(Play(&player), "");
  WriteSegment(dir(), 0, "onetwo");
  EXPECT_EQ(Play(&player), "two");
}

TEST_F(LogPlayerTest, ReadsNoFurtherThanTheKnownEnd) {
  WriteSegment(dir(), 0, "onetwo");
  LogPlayer player(dir(), "out");
  player.SetEnd(3);
  EXPECT_EQ(Play(&player), "one");
  player.SetEnd(2);
  EXPECT_EQ(player.end(), 3u);
}

TEST_F(LogPlayerTest, ShowsThePiecesThatItReads) {
  std::string text(2 * LogPlayer::kPieceBytes + 1, 'x');
  WriteSegment(dir(), 0, text);
  LogPlayer player(dir(), "out");
  player.SetEnd(text.size());
  size_t longest = 0;
  auto step = player.Next([&longest](std::string_view bytes) {
    longest = bytes.size();
    return bytes.size();
  });
  ASSERT_TRUE(step.ok());
  EXPECT_EQ(longest, LogPlayer::kPieceBytes);
  EXPECT_EQ(Play(&player, text.size()).size(), LogPlayer::kPieceBytes + 1);
}

TEST_F(LogPlayerTest, SaysWhereTheLogCannotBeRead) {
  WriteSegment(dir(), 0, "one");
  ASSERT_EQ(mkdirat(dir(), wire::SegmentName("out", 3).c_str(), 0700), 0);
  LogPlayer player(dir(), "out");
  player.SetEnd(6);
  EXPECT_EQ(Play(&player).substr(0, 29), "one!read the log at byte 3: I");
  EXPECT_EQ(player.offset(), 3u);
}

TEST_F(LogPlayerTest, ARangeBeyondTheGreatestOffsetIsIgnored) {
  LogPlayer player(dir(), "out");
  WriteSegment(dir(), 0, "abc");
  player.SetEnd(3);
  player.AddHole(3, ~uint64_t{0} - 1);
  player.AddBytes(~uint64_t{0}, "xyz");
  EXPECT_EQ(player.end(), 3u);
  EXPECT_EQ(Play(&player), "abc");
}

}  // namespace
}  // namespace glasstty::record

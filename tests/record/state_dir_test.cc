#include "record/state_dir.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "record/meta.h"
#include "support/status.h"
#include "testing/no_descriptors.h"

namespace glasstty::record {
namespace {

namespace fs = std::filesystem;

class StateDirTest : public testing::Test {
 protected:
  StateDirTest() {
    std::string path = (fs::temp_directory_path() / "state-XXXXXX").string();
    base_ = mkdtemp(path.data());
    setenv("GLASSTTY_STATE_DIR", (base_ + "/deep/er").c_str(), 1);
  }
  ~StateDirTest() override {
    unsetenv("GLASSTTY_STATE_DIR");
    fs::remove_all(base_);
  }
  mode_t ModeOf(const std::string& path) {
    struct stat info;
    return stat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : 0;
  }

  std::string base_;
};

TEST_F(StateDirTest, IsMadePrivateWhateverTheUmask) {
  for (mode_t mask : {0000, 0077}) {
    mode_t before = umask(mask);
    auto dir = StateDir::Open();
    umask(before);
    ASSERT_TRUE(dir.ok()) << dir.status();
    EXPECT_EQ(ModeOf(dir->path()), 0700u);
    auto session = dir->Create();
    ASSERT_TRUE(session.ok());
    EXPECT_EQ(ModeOf(dir->PathOf(*session)), 0700u);
  }
}

TEST_F(StateDirTest, ListsWhatWasNotEndedInOrder) {
  auto dir = StateDir::Open();
  ASSERT_TRUE(dir.ok());
  auto a = dir->Create();
  auto b = dir->Create();
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_NE(*a, *b);
  EXPECT_EQ(dir->List()->size(), 2u);
  dir->MoveToEnded(*a);
  EXPECT_EQ(*dir->List(), std::vector<std::string>{*b});
  EXPECT_EQ(dir->PathOf(*a), dir->path() + "/ended/" + *a);
  dir->Remove(*b);
  EXPECT_TRUE(dir->List()->empty());
}

TEST_F(StateDirTest, AListThatCannotBeReadIsNotEmpty) {
  auto dir = StateDir::Open();
  ASSERT_TRUE(dir.ok() && dir->Create().ok());
  NoDescriptors none;
  EXPECT_TRUE(absl::IsResourceExhausted(dir->List().status()));
  EXPECT_TRUE(absl::IsResourceExhausted(dir->ListEnded().status()));
  EXPECT_TRUE(absl::IsUnavailable(StateDir::OpenToLook().status()));
}

TEST_F(StateDirTest, LetsOneServerClaimASession) {
  auto one = StateDir::Open();
  auto other = StateDir::Open();
  ASSERT_TRUE(one.ok() && other.ok());
  auto a = one->Create();
  auto b = one->Create();
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_TRUE(one->Claim(*a));
  EXPECT_FALSE(other->Claim(*a));
  EXPECT_TRUE(other->Claim(*b));
  one->Disclaim(*a);
  EXPECT_TRUE(other->Claim(*a));
  // The end of a server frees everything that it had.
  other = absl::UnknownError("dead");
  EXPECT_TRUE(one->Claim(*a));
  EXPECT_TRUE(one->Claim(*b));
}

TEST_F(StateDirTest, KeepsItsClaimsWhateverOfItWasDeleted) {
  for (const char* deleted : {"", "/ended", "/claims"}) {
    auto one = StateDir::Open();
    ASSERT_TRUE(one.ok()) << one.status();
    auto a = one->Create();
    auto b = one->Create();
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_TRUE(one->Claim(*a));
    EXPECT_TRUE(one->Claim(*b));
    one->Disclaim(*b);
    fs::remove_all(one->path() + deleted);
    EXPECT_FALSE(one->IsThere());
    ASSERT_TRUE(one->Renew().ok());
    EXPECT_TRUE(one->IsThere());
    auto other = StateDir::Open();
    ASSERT_TRUE(other.ok()) << other.status();
    EXPECT_FALSE(other->Claim(*a)) << deleted;
    EXPECT_TRUE(other->Claim(*b)) << deleted;
  }
}

TEST_F(StateDirTest, TakesNoForeignNamesForSessions) {
  auto dir = StateDir::Open();
  ASSERT_TRUE(dir.ok());
  fs::create_directory(dir->path() + "/notes");
  fs::create_directory(dir->path() + "/0123456789abcdef0123456789ABCDEF");
  EXPECT_TRUE(dir->List()->empty());
}

TEST_F(StateDirTest, RefusesASymbolicLinkInItsPlace) {
  fs::create_directories(base_ + "/deep");
  fs::create_directory(base_ + "/elsewhere");
  fs::create_directory_symlink(base_ + "/elsewhere", base_ + "/deep/er");
  auto dir = StateDir::Open();
  ASSERT_FALSE(dir.ok());
  EXPECT_NE(Message(dir.status()).find("GLASSTTY_STATE_DIR"),
            std::string::npos);
}

TEST_F(StateDirTest, LeavesADirectoryThatWasThereAsItIs) {
  fs::create_directories(base_ + "/deep/er");
  for (mode_t mode : {0755, 0700, 0750}) {
    ASSERT_EQ(chmod((base_ + "/deep/er").c_str(), mode), 0);
    auto dir = StateDir::Open();
    ASSERT_TRUE(dir.ok()) << dir.status();
    EXPECT_EQ(ModeOf(dir->path()), mode);
    auto session = dir->Create();
    ASSERT_TRUE(session.ok());
    EXPECT_EQ(ModeOf(dir->PathOf(*session)), 0700u);
    EXPECT_EQ(ModeOf(dir->path() + "/ended"), 0700u);
  }
}

TEST_F(StateDirTest, RefusesADirectoryThatOthersMayWriteTo) {
  fs::create_directories(base_ + "/deep/er");
  for (mode_t mode : {0775, 0777, 0702}) {
    ASSERT_EQ(chmod((base_ + "/deep/er").c_str(), mode), 0);
    for (auto* open : {&StateDir::Open, &StateDir::OpenToLook}) {
      auto dir = open();
      ASSERT_FALSE(dir.ok());
      std::string message = Message(dir.status());
      EXPECT_NE(message.find("chmod go-w " + base_ + "/deep/er"),
                std::string::npos)
          << message;
      EXPECT_EQ(ModeOf(base_ + "/deep/er"), mode);
    }
  }
}

TEST_F(StateDirTest, MakesNothingForThoseWhoOnlyLook) {
  auto missing = StateDir::OpenToLook();
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(fs::exists(base_ + "/deep"));
  auto place = StateDir::Place();
  ASSERT_TRUE(place.ok()) << place.status();
  EXPECT_EQ(*place, base_ + "/deep/er");
  EXPECT_FALSE(fs::exists(base_ + "/deep"));
  // First the directory has no session, and then one.
  fs::create_directories(base_ + "/deep/er");
  auto empty = StateDir::OpenToLook();
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_TRUE(empty->ListEnded()->empty());
  EXPECT_FALSE(fs::exists(base_ + "/deep/er/ended"));
  auto made = StateDir::Open();
  ASSERT_TRUE(made.ok());
  auto session = made->Create();
  ASSERT_TRUE(session.ok());
  EXPECT_EQ(*StateDir::OpenToLook()->List(),
            std::vector<std::string>{*session});
}

TEST_F(StateDirTest, HasNoPlaceBelowADirectoryThatIsNotOurs) {
  setenv("GLASSTTY_STATE_DIR", "/proc/self/glasstty", 1);
  auto place = StateDir::Place();
  ASSERT_FALSE(place.ok());
  EXPECT_NE(Message(place.status()).find("/proc/self/glasstty"),
            std::string::npos);
}

TEST(Meta, ComesBackAsItWasWritten) {
  SessionOrigin origin;
  origin.id = "id";
  origin.name = "build";
  origin.program.argv = {"make", "-j", "\xff not UTF-8"};
  origin.program.cwd = "/x";
  origin.program.size = {24, 80};
  origin.started_ms = 1234567890123;
  origin.program.keep = true;
  origin.program.record_input = true;
  origin.program.integrate = false;
  origin.program.tame_pagers = false;
  auto read = DecodeMeta(EncodeMeta(origin));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->name, "build");
  ASSERT_EQ(read->program.argv.size(), 3u);
  EXPECT_EQ(read->program.argv[1], "-j");
  EXPECT_EQ(read->program.cwd, "/x");
  EXPECT_EQ(read->program.size, (terminal::Size{24, 80}));
  EXPECT_EQ(read->started_ms, 1234567890123);
  EXPECT_TRUE(read->program.keep);
  EXPECT_TRUE(read->program.record_input);
  EXPECT_FALSE(read->program.integrate);
  EXPECT_FALSE(read->program.tame_pagers);
}

TEST(Meta, KeepsNoEnvironment) {
  SessionOrigin origin{.name = "x", .program = {.argv = {"x"}}};
  origin.program.environment["TOKEN"] = "hunter2";
  std::string meta = EncodeMeta(origin);
  EXPECT_EQ(meta.find("TOKEN"), std::string::npos);
  EXPECT_EQ(meta.find("hunter2"), std::string::npos);
}

TEST(Meta, TakesTheDefaultForWhatAnEarlierServerDidNotWrite) {
  auto read = DecodeMeta(R"({"format":1,"name":"x","argv":["x"]})");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->program.integrate);
  EXPECT_TRUE(read->program.tame_pagers);
  EXPECT_FALSE(read->program.record_input);
}

TEST(Meta, OfAnotherFormatOrTornIsRefused) {
  EXPECT_FALSE(DecodeMeta("").ok());
  EXPECT_FALSE(DecodeMeta("{\"format\":2}").ok());
  EXPECT_FALSE(DecodeMeta("{\"format\":1}").ok());
  // Names are in brackets at the beginning of replies.
  EXPECT_FALSE(
      DecodeMeta(R"({"format":1,"name":"a] prompt","argv":["x"]})").ok());
  EXPECT_TRUE(
      DecodeMeta(R"({"format":1,"name":"@ssh-a.b","argv":["x"]})").ok());
  EXPECT_FALSE(DecodeMeta("{\"format\":1,\"name\":\"x\",\"ar").ok());
}

}  // namespace
}  // namespace glasstty::record

#include "record/file_writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "support/status.h"

namespace glasstty::record {
namespace {

namespace fs = std::filesystem;

class FileWriterTest : public testing::Test {
 protected:
  FileWriterTest() {
    char path[] = "/tmp/glasstty-writer-XXXXXX";
    root_ = fs::canonical(mkdtemp(path)).string();
  }
  ~FileWriterTest() override { fs::remove_all(root_); }

  std::string At(const std::string& name) const { return root_ + "/" + name; }

  static std::string Content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  // Returns "" if it succeeded.
  static std::string Put(const std::string& path, const std::string& text,
                         FileWriter::Mode mode = FileWriter::Mode::kReplace) {
    auto file = FileWriter::Open(path, mode);
    if (!file.ok()) return Message(file.status());
    absl::Status status = file->Write(text);
    if (status.ok()) status = file->Commit();
    return Message(status);
  }

  // Nothing of ours may be left beside the file.
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(root_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  std::string root_;
};

TEST_F(FileWriterTest, ANewFileIsThereWholeAfterTheCommitAndNotBefore) {
  auto file = FileWriter::Open(At("new"), FileWriter::Mode::kReplace);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(file->Write("one\n").ok());
  EXPECT_FALSE(fs::exists(At("new")));
  EXPECT_TRUE(file->Write("two\n").ok());
  EXPECT_TRUE(file->Commit().ok());
  EXPECT_EQ(Content(At("new")), "one\ntwo\n");
  EXPECT_EQ(file->size(), 8);
  EXPECT_TRUE(file->created());
}

TEST_F(FileWriterTest, WithoutACommitTheOldFileStands) {
  ASSERT_EQ(Put(At("f"), "old"), "");
  {
    auto file = FileWriter::Open(At("f"), FileWriter::Mode::kReplace);
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(file->Write("new").ok());
  }
  EXPECT_EQ(Content(At("f")), "old");
  EXPECT_EQ(Names(), std::vector<std::string>{"f"});
}

TEST_F(FileWriterTest, AReaderOfTheOldFileKeepsItWhole) {
  ASSERT_EQ(Put(At("f"), "old text"), "");
  std::ifstream reader(At("f"));
  ASSERT_EQ(Put(At("f"), "x"), "");
  std::string text;
  std::getline(reader, text);
  EXPECT_EQ(text, "old text");
}

TEST_F(FileWriterTest, TheModeIsKeptAndANewOneFollowsTheUmask) {
  mode_t mask = umask(027);
  EXPECT_EQ(Put(At("new"), ""), "");
  umask(mask);
  struct stat now = {};
  ASSERT_EQ(stat(At("new").c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 07777, 0640u);
  ASSERT_EQ(chmod(At("new").c_str(), 0751), 0);
  EXPECT_EQ(Put(At("new"), "x"), "");
  ASSERT_EQ(stat(At("new").c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 07777, 0751u);
}

// Whoever set these bits meant the old program.
TEST_F(FileWriterTest, SetUserIdAndSetGroupIdBitsAreNotKept) {
  for (FileWriter::Mode mode :
       {FileWriter::Mode::kReplace, FileWriter::Mode::kAppend}) {
    ASSERT_EQ(Put(At("f"), "old"), "");
    ASSERT_EQ(chmod(At("f").c_str(), 06755), 0);
    EXPECT_EQ(Put(At("f"), "new", mode), "");
    struct stat now = {};
    ASSERT_EQ(stat(At("f").c_str(), &now), 0);
    EXPECT_EQ(now.st_mode & 07777, 0755u);
  }
}

class SharedDirectory : public FileWriterTest {
 protected:
  // Makes a directory like /tmp. Other users' files need root to create them.
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can make another's files";
    fs::create_directory(At("shared"));
    ASSERT_EQ(chmod(At("shared").c_str(), 01777), 0);
    ASSERT_EQ(Put(At("precious"), "kept"), "");
  }
  void GiveAway(const std::string& name) {
    ASSERT_EQ(lchown(At(name).c_str(), 65534, 65534), 0);
  }
};

TEST_F(SharedDirectory, AnotherUsersLinkIsNotFollowed) {
  fs::create_symlink(At("precious"), At("shared/link"));
  fs::create_symlink(At("missing"), At("shared/dangling"));
  fs::create_symlink("link", At("shared/chain"));
  for (const char* name : {"shared/link", "shared/dangling"}) GiveAway(name);
  for (const char* name : {"shared/link", "shared/dangling", "shared/chain"}) {
    for (FileWriter::Mode mode :
         {FileWriter::Mode::kReplace, FileWriter::Mode::kAppend}) {
      EXPECT_NE(Put(At(name), "stolen", mode), "") << name;
    }
  }
  EXPECT_EQ(Content(At("precious")), "kept");
  EXPECT_FALSE(fs::exists(At("missing")));
}

// Otherwise its owner could read what is written there.
TEST_F(SharedDirectory, AnotherUsersFileIsNotWritten) {
  ASSERT_EQ(Put(At("shared/f"), "theirs"), "");
  GiveAway("shared/f");
  for (FileWriter::Mode mode :
       {FileWriter::Mode::kReplace, FileWriter::Mode::kAppend}) {
    EXPECT_EQ(Put(At("shared/f"), "secret", mode),
              "cannot write '" + At("shared/f") +
                  "': 'f' belongs to another user, in a directory where "
                  "everybody may create files; give another name");
  }
  EXPECT_EQ(Content(At("shared/f")), "theirs");
}

TEST_F(SharedDirectory, OwnLinksAndFilesAreUsedAsElsewhere) {
  fs::create_symlink(At("precious"), At("shared/link"));
  EXPECT_EQ(Put(At("shared/link"), "new"), "");
  EXPECT_EQ(Content(At("precious")), "new");
  EXPECT_EQ(Put(At("shared/own"), "one"), "");
  EXPECT_EQ(Put(At("shared/own"), "two"), "");
  EXPECT_EQ(Content(At("shared/own")), "two");
}

TEST_F(FileWriterTest, TheOwnerIsKept) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(Put(At("f"), "old"), "");
  ASSERT_EQ(chown(At("f").c_str(), 65534, 65534), 0);
  EXPECT_EQ(Put(At("f"), "new"), "");
  struct stat now = {};
  ASSERT_EQ(stat(At("f").c_str(), &now), 0);
  EXPECT_EQ(now.st_uid, 65534u);
  EXPECT_EQ(now.st_gid, 65534u);
}

TEST_F(FileWriterTest, ALinkStaysALinkAlsoWhenItsTargetIsStillToBeMade) {
  fs::create_directory(At("d"));
  fs::create_symlink("d/target", At("link"));
  EXPECT_EQ(Put(At("link"), "one"), "");
  EXPECT_TRUE(fs::is_symlink(At("link")));
  EXPECT_EQ(Content(At("d/target")), "one");
  auto file = FileWriter::Open(At("link"), FileWriter::Mode::kReplace);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->path(), At("d/target"));
  EXPECT_FALSE(file->created());
}

TEST_F(FileWriterTest, AppendingAddsToTheFileItself) {
  EXPECT_EQ(Put(At("log"), "a\n", FileWriter::Mode::kAppend), "");
  fs::create_hard_link(At("log"), At("same"));
  auto file = FileWriter::Open(At("log"), FileWriter::Mode::kAppend);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file->Write("b\n").ok());
  EXPECT_TRUE(file->Commit().ok());
  EXPECT_EQ(file->size(), 4);
  EXPECT_EQ(Content(At("same")), "a\nb\n");
}

TEST_F(FileWriterTest, WhatIsNoRegularFileIsRefusedAndNotOpened) {
  fs::create_directory(At("d"));
  ASSERT_EQ(mkfifo(At("pipe").c_str(), 0600), 0);
  EXPECT_EQ(Put(At("d"), "x"),
            "cannot write '" + At("d") +
                "': it is a directory, and only regular files are written; a "
                "program in a session can write to it");
  // A pipe without a reader would block whoever opens it.
  EXPECT_NE(Put(At("pipe"), "x").find("it is a pipe"), std::string::npos);
  EXPECT_NE(Put(At("pipe"), "x", FileWriter::Mode::kAppend).find("a pipe"),
            std::string::npos);
  EXPECT_NE(Put("/dev/null", "x").find("it is a device"), std::string::npos);
  EXPECT_NE(Put(At("d/.."), "x").find("it is a directory"), std::string::npos);
  // The kernel follows this link, which has no path, like /dev/stdout.
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::string end = "/proc/self/fd/" + std::to_string(ends[1]);
  EXPECT_NE(Put(end, "x").find("it is a pipe"), std::string::npos);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(FileWriterTest, AMissingDirectoryIsNamed) {
  EXPECT_EQ(Put(At("no/such/f"), "x"), "cannot write '" + At("no/such/f") +
                                           "': there is no directory '" +
                                           At("no/such") + "' (mkdir -p)");
  EXPECT_NE(Put(At(std::string(300, 'x')), "x").find("File name too long"),
            std::string::npos);
}

TEST_F(FileWriterTest, ALoopOfLinksEnds) {
  fs::create_symlink("b", At("a"));
  fs::create_symlink("a", At("b"));
  EXPECT_NE(Put(At("a"), "x").find("Too many levels of symbolic links"),
            std::string::npos);
}

// While it exists, the test is an ordinary user, to whom permissions apply.
class AsNobody {
 public:
  AsNobody() : was_root_(geteuid() == 0) {
    if (was_root_) {
      EXPECT_EQ(setresuid(65534, 65534, 0), 0);
    }
  }
  ~AsNobody() {
    if (was_root_) {
      EXPECT_EQ(setresuid(0, 0, 0), 0);
    }
  }

 private:
  bool was_root_;
};

TEST_F(FileWriterTest, AFileInADirectoryThatMayNotBeWrittenIsWrittenInPlace) {
  fs::create_directory(At("d"));
  ASSERT_EQ(Put(At("d/f"), "something old"), "");
  ASSERT_EQ(Put(At("d/mine"), "mine"), "");
  chmod(At("d/f").c_str(), 0666);
  chmod(At("d/mine").c_str(), 0400);
  chmod(At("d").c_str(), 0555);
  chmod(root_.c_str(), 0755);
  {
    AsNobody nobody;
    auto file = FileWriter::Open(At("d/f"), FileWriter::Mode::kReplace);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_TRUE(file->in_place());
    EXPECT_TRUE(file->Write("new").ok());
    EXPECT_TRUE(file->Commit().ok());
    EXPECT_NE(Put(At("d/another"), "x").find("Permission denied"),
              std::string::npos);
    EXPECT_NE(Put(At("d/mine"), "x").find("Permission denied"),
              std::string::npos);
  }
  EXPECT_EQ(Content(At("d/f")), "new");
  EXPECT_EQ(Content(At("d/mine")), "mine");
  chmod(At("d").c_str(), 0755);
}

TEST_F(FileWriterTest, AFullDiskLeavesTheOldFile) {
  ASSERT_EQ(Put(At("f"), "old"), "");
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = {10, before.rlim_max};
  auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  std::string why = Put(At("f"), "more than ten bytes");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  EXPECT_NE(why.find("File too large"), std::string::npos) << why;
  EXPECT_EQ(Content(At("f")), "old");
  EXPECT_EQ(Names(), std::vector<std::string>{"f"});
}

TEST(AbsolutePath, IsBelowTheDirectoryUnlessItIsAbsolute) {
  EXPECT_EQ(AbsolutePath("a/b", "/srv"), "/srv/a/b");
  EXPECT_EQ(AbsolutePath("a", "/"), "/a");
  EXPECT_EQ(AbsolutePath("/etc/x", "/srv"), "/etc/x");
  // In the target of a link it is an ordinary name.
  EXPECT_EQ(AbsolutePath("~/x", "/srv"), "/srv/~/x");
}

}  // namespace
}  // namespace glasstty::record

// Tests descriptors that close themselves, and files that are read and replaced
// as a whole.
#include "base/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/own_file.h"

namespace glasstty {
namespace {

bool IsOpen(int fd) { return fcntl(fd, F_GETFD) >= 0; }

// An empty folder that is deleted with its contents.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/glasstty-fd-test-XXXXXX";
    path_ = mkdtemp(name);
    fd_ = UniqueFd(open(path_.c_str(), O_DIRECTORY | O_CLOEXEC));
  }
  ~Folder() {
    for (const char* name : {"file", "file.tmp", "link"}) {
      unlinkat(fd_.get(), name, 0);
    }
    rmdir(path_.c_str());
  }
  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  UniqueFd fd_;
};

TEST(UniqueFd, ClosesOnceAndKeepsErrno) {
  int raw = dup(STDIN_FILENO);
  {
    UniqueFd fd(raw);
    UniqueFd other(std::move(fd));
    EXPECT_FALSE(fd.valid());  // NOLINT(bugprone-use-after-move): tested
    EXPECT_EQ(other.get(), raw);
    EXPECT_TRUE(IsOpen(raw));
    errno = EPIPE;
    other.Reset();
    EXPECT_EQ(errno, EPIPE);
  }
  EXPECT_FALSE(IsOpen(raw));
}

TEST(UniqueFd, ReleaseGivesItAway) {
  UniqueFd fd(dup(STDIN_FILENO));
  int raw = fd.Release();
  EXPECT_FALSE(fd.valid());
  EXPECT_TRUE(IsOpen(raw));
  close(raw);
}

TEST(Files, AreReplacedWholeWithPrivateMode) {
  Folder folder;
  mode_t old_mask = umask(0777);
  EXPECT_TRUE(ReplaceFileAt(folder.fd(), "file", "first"));
  umask(0);
  EXPECT_TRUE(ReplaceFileAt(folder.fd(), "file", "second"));
  umask(old_mask);
  std::string content;
  EXPECT_TRUE(ReadFileAt(folder.fd(), "file", 100, &content));
  EXPECT_EQ(content, "second");
  struct stat status;
  ASSERT_EQ(fstatat(folder.fd(), "file", &status, 0), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  EXPECT_NE(faccessat(folder.fd(), "file.tmp", F_OK, 0), 0);
}

TEST(Files, ALeftoverOfACrashIsNoObstacle) {
  Folder folder;
  ASSERT_EQ(symlinkat("/dev/null", folder.fd(), "file.tmp"), 0);
  EXPECT_TRUE(ReplaceFileAt(folder.fd(), "file", "x"));
  std::string content;
  EXPECT_TRUE(ReadFileAt(folder.fd(), "file", 100, &content));
  EXPECT_EQ(content, "x");
}

TEST(Files, AReplacedSymlinkIsNotFollowed) {
  Folder folder;
  ASSERT_TRUE(ReplaceFileAt(folder.fd(), "file", "kept"));
  ASSERT_EQ(symlinkat("file", folder.fd(), "link"), 0);
  std::string content;
  EXPECT_FALSE(ReadFileAt(folder.fd(), "link", 100, &content));
  EXPECT_TRUE(ReplaceFileAt(folder.fd(), "link", "new"));
  EXPECT_TRUE(ReadFileAt(folder.fd(), "file", 100, &content));
  EXPECT_EQ(content, "kept");
}

TEST(Files, AreReadUpToTheLimit) {
  Folder folder;
  ASSERT_TRUE(ReplaceFileAt(folder.fd(), "file", std::string(50'000, 'x')));
  std::string content = "old";
  EXPECT_TRUE(ReadFileAt(folder.fd(), "file", 20'000, &content));
  EXPECT_EQ(content.size(), 20'000u);
  EXPECT_FALSE(ReadFileAt(folder.fd(), "none", 1, &content));
  EXPECT_EQ(errno, ENOENT);
}

TEST(Files, FailuresSayWhy) {
  EXPECT_FALSE(ReplaceFileAt(AT_FDCWD, "/no/such/folder/file", "x"));
  EXPECT_EQ(errno, ENOENT);
  UniqueFd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  EXPECT_FALSE(WriteAll(full.get(), "x"));
  EXPECT_EQ(errno, ENOSPC);
}

TEST(Pipes, NonBlockingOnesSayEagain) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  UniqueFd in(ends[0]), out(ends[1]);
  ASSERT_TRUE(SetNonBlocking(in.get()));
  char byte;
  EXPECT_EQ(ReadSome(in.get(), &byte, 1), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_TRUE(WriteAll(out.get(), "y"));
  EXPECT_EQ(ReadSome(in.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
}

TEST(CloseOnExecFrom, ClosesFromItsFirstDescriptorOnly) {
  // This is higher than any descriptor that the test itself uses.
  constexpr int kFirst = 200;
  UniqueFd below(dup2(STDOUT_FILENO, kFirst - 1));
  UniqueFd at(dup2(STDOUT_FILENO, kFirst));
  ASSERT_TRUE(CloseOnExecFrom(kFirst));
  EXPECT_EQ(fcntl(below.get(), F_GETFD), 0);
  EXPECT_EQ(fcntl(at.get(), F_GETFD), FD_CLOEXEC);
}

TEST(ReadFileAt, RefusesAPipeInsteadOfWaitingForItsWriter) {
  char name[] = "/tmp/glasstty-fd-XXXXXX";
  std::string path = mkdtemp(name);
  std::string pipe_path = path + "/pipe", text;
  ASSERT_EQ(mkfifo(pipe_path.c_str(), 0600), 0);
  EXPECT_FALSE(ReadFileAt(AT_FDCWD, pipe_path, 100, &text));
  unlink(pipe_path.c_str());
  rmdir(path.c_str());
}

TEST(OpenOwnFileAt, OpensRegularFilesOnly) {
  char name[] = "/tmp/glasstty-fd-XXXXXX";
  std::string path = mkdtemp(name);
  UniqueFd directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(mkfifo((path + "/pipe").c_str(), 0600), 0);
  ASSERT_EQ(symlink("file", (path + "/link").c_str()), 0);
  auto opens = [&](const char* file) {
    return OpenOwnFileAt(directory.get(), file, O_WRONLY | O_CREAT).valid();
  };
  EXPECT_TRUE(opens("file"));
  EXPECT_TRUE(opens("file"));
  EXPECT_FALSE(opens("pipe"));
  EXPECT_FALSE(opens("link"));
  UniqueFd reader(
      open((path + "/pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  EXPECT_FALSE(opens("pipe"));
  for (const char* file : {"/file", "/pipe", "/link"}) {
    unlink((path + file).c_str());
  }
  rmdir(path.c_str());
}

}  // namespace
}  // namespace glasstty

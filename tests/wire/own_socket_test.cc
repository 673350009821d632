#include "wire/own_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string>

#include "testing/system.h"

namespace glasstty::wire {
namespace {

constexpr uid_t kNobody = 65534;

class OwnSocket : public ::testing::Test {
 protected:
  OwnSocket()
      : directory_(
            open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

  // Runs `act` in a process of another user, which lives until this object is
  // destroyed.
  void AsNobody(const std::function<bool()>& act) {
    ASSERT_EQ(chmod(folder_.path().c_str(), 0777), 0);
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    UniqueFd done(ends[0]), say(ends[1]);
    nobody_ = fork();
    if (nobody_ == 0) {
      if (setresuid(kNobody, kNobody, kNobody) == 0 && act()) {
        WriteAll(say.get(), "1");
        pause();
      }
      _exit(1);
    }
    say.Reset();
    char byte;
    ASSERT_EQ(ReadSome(done.get(), &byte, 1), 1);
  }
  ~OwnSocket() override {
    if (nobody_ <= 0) return;
    kill(nobody_, SIGKILL);
    waitpid(nobody_, nullptr, 0);
  }

  testing::TempDir folder_;
  UniqueFd directory_;
  pid_t nobody_ = -1;
};

TEST_F(OwnSocket, HasItsModeWhateverTheUmaskIs) {
  mode_t before = umask(0);
  UniqueFd listener = ListenAt(directory_.get(), "s", SOCK_STREAM, 1);
  EXPECT_EQ(umask(before), 0u);
  ASSERT_TRUE(listener.valid());
  struct stat status;
  ASSERT_EQ(stat(folder_.Join("s").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(OwnSocket, JoinsProcessesOfOneUser) {
  UniqueFd listener = ListenAt(directory_.get(), "s", SOCK_SEQPACKET, 1);
  UniqueFd client = ConnectAt(directory_.get(), "s", SOCK_SEQPACKET);
  ASSERT_TRUE(client.valid());
  UniqueFd server = AcceptOwn(listener.get());
  ASSERT_TRUE(server.valid());
  EXPECT_TRUE(WriteAll(server.get(), "1"));
  char byte;
  EXPECT_EQ(ReadSome(client.get(), &byte, 1), 1);
}

TEST_F(OwnSocket, SaysWhyNobodyIsThere) {
  EXPECT_FALSE(ConnectAt(directory_.get(), "s", SOCK_STREAM).valid());
  EXPECT_EQ(errno, ENOENT);
  ListenAt(directory_.get(), "s", SOCK_STREAM, 1);
  EXPECT_FALSE(ConnectAt(directory_.get(), "s", SOCK_STREAM).valid());
  EXPECT_EQ(errno, ECONNREFUSED);
  EXPECT_FALSE(ListenAt(directory_.get(), "s", SOCK_STREAM, 1).valid());
  EXPECT_EQ(errno, EADDRINUSE);
}

TEST_F(OwnSocket, OfAnotherUserIsNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be another user, too";
  UniqueFd theirs;
  AsNobody([&] {
    theirs = ListenAt(directory_.get(), "s", SOCK_STREAM, 1);
    return theirs.valid();
  });
  EXPECT_FALSE(ConnectAt(directory_.get(), "s", SOCK_STREAM).valid());
  EXPECT_EQ(errno, EPERM);
}

TEST_F(OwnSocket, RefusesAnotherUserEvenIfItsModeDoesNot) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be another user, too";
  UniqueFd listener = ListenAt(directory_.get(), "s", SOCK_STREAM, 1);
  ASSERT_EQ(chmod(folder_.Join("s").c_str(), 0666), 0);
  UniqueFd theirs;
  AsNobody([&] {
    theirs = ConnectAt(directory_.get(), "s", SOCK_STREAM);
    // It has connected and has noticed that we are not its user.
    return !theirs.valid() && errno == EPERM;
  });
  EXPECT_FALSE(AcceptOwn(listener.get()).valid());
  EXPECT_EQ(errno, EPERM);
}

}  // namespace
}  // namespace glasstty::wire

#include "base/process_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/fd.h"

namespace glasstty {
namespace {

class ProcessLock : public ::testing::Test {
 protected:
  ProcessLock() : path_(::testing::TempDir() + "lock.XXXXXX") {
    fd_.Reset(mkostemp(path_.data(), O_CLOEXEC));
  }
  ~ProcessLock() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    unlink(path_.c_str());
  }

  // A child takes the lock and keeps it.
  bool LockInChild() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    UniqueFd read_end(ends[0]), write_end(ends[1]);
    child_ = fork();
    if (child_ == 0) {
      int fd = open(path_.c_str(), O_RDWR);
      if (TakeLock(fd)) WriteAll(write_end.get(), "1");
      pause();
      _exit(0);
    }
    write_end.Reset();
    char byte;
    return ReadSome(read_end.get(), &byte, 1) == 1;
  }

  std::string path_;
  UniqueFd fd_;
  pid_t child_ = 0;
};

TEST_F(ProcessLock, NobodyOwnsAFreeFile) {
  EXPECT_FALSE(OwnerOf(fd_.get()).exists);
  EXPECT_TRUE(KillOwner(fd_.get()));
  EXPECT_TRUE(TakeLock(fd_.get()));
}

TEST_F(ProcessLock, AnOwnerIsNamedAndCanBeKilled) {
  ASSERT_TRUE(LockInChild());
  EXPECT_TRUE(OwnerOf(fd_.get()).exists);
  EXPECT_EQ(OwnerOf(fd_.get()).pid, child_);
  EXPECT_FALSE(TakeLock(fd_.get()));
  EXPECT_FALSE(AwaitLock(fd_.get(), 10));
  EXPECT_TRUE(KillOwner(fd_.get()));
  EXPECT_TRUE(AwaitLock(fd_.get(), 10'000));
}

// The kernel knows no number for it here, and reports 0 or -1. Passed to
// kill(2), these would end this process group or every process.
TEST_F(ProcessLock, ALockWithoutAVisibleProcessKillsNobody) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  UniqueFd other(open(path_.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(fcntl(other.get(), F_OFD_SETLK, &whole), 0);
  EXPECT_TRUE(OwnerOf(fd_.get()).exists);
  EXPECT_EQ(OwnerOf(fd_.get()).pid, 0);
  EXPECT_FALSE(KillOwner(fd_.get()));
  EXPECT_EQ(errno, ESRCH);
}

// This happens if two containers share a home directory.
TEST_F(ProcessLock, AnOwnerInAnotherPidNamespaceIsNotSignalled) {
  pid_t watcher = fork();
  ASSERT_GE(watcher, 0);
  if (watcher == 0) {
    // Here the roles are reversed: this side is inside, the owner outside.
    setpgid(0, 0);
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0 &&
        unshare(CLONE_NEWPID) != 0) {
      _exit(77);
    }
    pid_t inner = fork();
    if (inner == 0) {
      // The first look waits until the owner has its lock.
      for (;;) {
        LockOwner owner = OwnerOf(fd_.get());
        if (!owner.exists) continue;
        _exit(owner.pid == 0 && !KillOwner(fd_.get()) ? 0 : 1);
      }
    }
    int status = 0;
    waitpid(inner, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
  }
  ASSERT_TRUE(LockInChild());
  int status = 0;
  waitpid(watcher, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "it signalled itself";
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no PID namespaces here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(kill(child_, 0), 0);
}

}  // namespace
}  // namespace glasstty

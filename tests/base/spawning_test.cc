// Tests what a started program inherits, with /bin/sh as the program.
#include "base/spawning.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "base/fd.h"

namespace glasstty {
namespace {

// Returns what the command prints, without the last newline.
std::string OutputOf(const std::string& command,
                     std::vector<std::string> environment = {}) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  UniqueFd ours(ends[0]), theirs(ends[1]);
  Spawning spawning;
  spawning.Open(STDIN_FILENO, "/dev/null", O_RDONLY);
  spawning.Give(theirs.get(), STDOUT_FILENO);
  spawning.Give(theirs.get(), STDERR_FILENO);
  pid_t pid =
      spawning.Start("/bin/sh", {"sh", "-c", command}, std::move(environment));
  EXPECT_GT(pid, 0);
  theirs.Reset();
  std::string output;
  char part[256];
  for (ssize_t n = 0; (n = ReadSome(ours.get(), part, sizeof part)) > 0;) {
    output.append(part, static_cast<size_t>(n));
  }
  EXPECT_EQ(waitpid(pid, nullptr, 0), pid);
  if (output.ends_with('\n')) output.pop_back();
  return output;
}

TEST(Spawning, GivesTheEnvironmentAndNoMore) {
  EXPECT_EQ(OutputOf("/usr/bin/env | grep -v ^PWD= | grep -v ^_= | grep -v "
                     "^SHLVL= | grep -v ^OLDPWD=",
                     {"A=b c"}),
            "A=b c");
}

TEST(Spawning, GivesTheDescriptors) {
  EXPECT_EQ(OutputOf("readlink /proc/self/fd/0; "
                     "[ /proc/self/fd/1 -ef /proc/self/fd/2 ] && echo same"),
            "/dev/null\nsame");
}

TEST(Spawning, BlocksAndIgnoresNoSignal) {
  sigset_t terminate, before;
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  ASSERT_EQ(sigprocmask(SIG_BLOCK, &terminate, &before), 0);
  auto handler = signal(SIGINT, SIG_IGN);
  // The signals 32 and 33 are ignored, because glibc's posix_spawn does so.
  EXPECT_EQ(OutputOf("grep -E '^Sig(Blk|Ign)' /proc/$$/status | "
                     "sed s/00000001800/00000000000/"),
            "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000");
  signal(SIGINT, handler);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

TEST(Spawning, HasItsOwnProcessGroup) {
  EXPECT_EQ(OutputOf("[ $(cut -d' ' -f5 /proc/$$/stat) = $$ ] && echo own"),
            "own");
}

TEST(Spawning, OfAMissingProgramFails) {
  EXPECT_EQ(Spawning().Start("/nonexistent", {"x"}, {}), -1);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace glasstty

// Tests a program with its log and its exit, without the process around them.
#include "holder/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "holder/holder.h"
#include "holder/parts_world.h"
#include "wire/session_files.h"

namespace glasstty::holder {
namespace {

using testing::Eventually;
using testing::Seconds;

// Waits for the end of the program and leaves it for the test to reap.
void AwaitEnd(const Program& program) {
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(program.leader()), &info,
                   WEXITED | WNOWAIT),
            0);
}

TEST(Program, LogsItsLastBytesBeforeItsExit) {
  PartsWorld world({"sh", "-c", "echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(world.program.Start());
  EXPECT_EQ(world.program.live_leader(), world.program.leader());
  AwaitEnd(world.program);
  world.program.SetExited(3 << 8);
  EXPECT_EQ(world.Log(), "out\n");
  EXPECT_EQ(world.program.live_leader(), 0);
  EXPECT_EQ(world.program.Exit(), (wire::Exit{4, 3 << 8, 4}));
  auto record = wire::ReadExit(world.dir.get());
  ASSERT_TRUE(record);
  EXPECT_EQ(record->offset, 4u);
  EXPECT_TRUE(world.program.IsSaved());
  world.end->Reap();
}

TEST(Program, ThatCannotBeStartedSaysWhy) {
  PartsWorld world({"/nonexistent/program"});
  EXPECT_FALSE(world.program.Start());
  EXPECT_EQ(world.program.leader(), 0);
  EXPECT_EQ(world.program.Started().error, ENOENT);
  EXPECT_FALSE(world.program.Info().started);
}

TEST(Program, KeepsItsSizeWhenTheNewOneIsInvalid) {
  PartsWorld world;
  wire::Resized resized = world.program.Resize({.rows = 10, .cols = 20});
  EXPECT_EQ(resized, (wire::Resized{0, 10, 20}));
  EXPECT_EQ(world.program.Resize({.rows = 0, .cols = 20}), resized);
  EXPECT_EQ(world.program.Resize({.rows = 1 << 16, .cols = 1}), resized);
  EXPECT_EQ(world.program.Resize({.rows = 1, .cols = 80}), resized);
  EXPECT_EQ(world.program.Resize({.rows = 501, .cols = 80}), resized);
  EXPECT_EQ(world.program.Resize({.rows = 500, .cols = 1000}), resized);
  EXPECT_EQ(world.program.Info().rows, 10);
}

// The end of a pipe stands for the directory, because its other end shows when
// it is closed. An absolute working directory needs none.
TEST(Holder, ClosesTheLaunchersDirectoryOnceTheProgramIsStarted) {
  testing::TempDir folder;
  int ends[2], sockets[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC,
                       0, sockets),
            0);
  UniqueFd shows(ends[0]), stands(ends[1]);
  UniqueFd server(sockets[0]), theirs(sockets[1]);
  pid_t pid = fork();
  if (pid == 0) {
    UniqueFd directory(
        open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    Holder holder({.spec = PartsWorld::SpecOf({"cat"}),
                   .dir_fd = directory.get(),
                   .start_dir = std::move(stands),
                   .server = std::move(theirs),
                   .signals = UniqueFd()});
    holder.Run();
    _exit(0);
  }
  stands.Reset();
  pollfd query{shows.get(), POLLIN, 0};
  EXPECT_EQ(poll(&query, 1, 20'000), 1);
  // The program ends with its input.
  kill(pid, SIGKILL);
  EXPECT_EQ(waitpid(pid, nullptr, 0), pid);
}

TEST(Program, TriesAgainToSaveItsExit) {
  PartsWorld world({"true"});
  ASSERT_TRUE(world.program.Start());
  AwaitEnd(world.program);
  // A file cannot replace a directory of the same name.
  std::string name = world.folder.Join(wire::kExitName);
  ASSERT_EQ(mkdir(name.c_str(), 0700), 0);
  world.program.SetExited(0);
  EXPECT_TRUE(world.program.exited());
  EXPECT_FALSE(world.program.IsSaved());
  EXPECT_TRUE(world.program.NeedsRetry());
  ASSERT_EQ(rmdir(name.c_str()), 0);
  world.program.Retry();
  EXPECT_TRUE(world.program.IsSaved());
  EXPECT_TRUE(wire::ReadExit(world.dir.get()));
  world.end->Reap();
}

}  // namespace
}  // namespace glasstty::holder

// Tests a program with its log and its exit, without the process around them.
#include "holder/program.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>

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

// Tests turns of a loop around poll(2), over real pipes.
#include "base/poll_loop.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>

#include "base/fd.h"

namespace glasstty {
namespace {

using std::chrono::milliseconds;

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    in.Reset(ends[0]);
    out.Reset(ends[1]);
  }
  UniqueFd in, out;
};

TEST(PollLoop, CallsWhoIsReadyInTheOrderOfTheWatches) {
  Pipe first, idle, second;
  std::string called;
  PollLoop loop;
  loop.Watch(second.in.get(), POLLIN, [&](short) { called += "2"; });
  loop.Watch(idle.in.get(), POLLIN, [&](short) { called += "idle"; });
  loop.Watch(first.in.get(), POLLIN, [&](short) { called += "1"; });
  ASSERT_TRUE(WriteAll(first.out.get(), "x"));
  ASSERT_TRUE(WriteAll(second.out.get(), "x"));
  EXPECT_EQ(loop.Turn(Time::max()), 2);
  EXPECT_EQ(called, "21");
}

TEST(PollLoop, ForgetsAllWatchesAfterATurn) {
  Pipe pipe;
  int calls = 0;
  PollLoop loop;
  ASSERT_TRUE(WriteAll(pipe.out.get(), "x"));
  loop.Watch(pipe.in.get(), POLLIN, [&](short) { ++calls; });
  EXPECT_EQ(loop.Turn(Time()), 1);
  EXPECT_EQ(loop.Turn(Time()), 0);
  EXPECT_EQ(calls, 1);
}

TEST(PollLoop, TellsAHandlerWhatHasHappened) {
  Pipe pipe;
  short got = 0;
  PollLoop loop;
  loop.Watch(pipe.out.get(), PollLoop::Events(false, true),
             [&](short events) { got = events; });
  EXPECT_EQ(loop.Turn(Time::max()), 1);
  EXPECT_EQ(got, POLLOUT);
}

TEST(PollLoop, TellsTheEndToWhoWaitsForNothingElse) {
  Pipe pipe;
  short got = 0;
  PollLoop loop;
  ASSERT_TRUE(WriteAll(pipe.out.get(), "x"));
  loop.Watch(pipe.in.get(), 0, [&](short events) { got = events; });
  EXPECT_EQ(loop.Turn(Time()), 0);
  pipe.out.Reset();
  loop.Watch(pipe.in.get(), 0, [&](short events) { got = events; });
  EXPECT_EQ(loop.Turn(Time::max()), 1);
  EXPECT_EQ(got, POLLHUP);
}

TEST(PollLoop, IgnoresADescriptorThatIsClosed) {
  PollLoop loop;
  loop.Watch(-1, POLLIN, [](short) { ADD_FAILURE(); });
  EXPECT_EQ(loop.Turn(Time()), 0);
}

TEST(PollLoop, WaitsUntilItsLimitAndNotForOneThatHasPassed) {
  PollLoop loop;
  Time begin = MonotonicNow();
  EXPECT_EQ(loop.Turn(begin - milliseconds(1000)), 0);
  EXPECT_EQ(loop.Turn(begin + milliseconds(5)), 0);
  EXPECT_GE(loop.woke(), begin + milliseconds(5));
}

TEST(PollLoop, LetsAHandlerCloseADescriptorThatIsReady) {
  Pipe first, second;
  PollLoop loop;
  ASSERT_TRUE(WriteAll(first.out.get(), "x"));
  ASSERT_TRUE(WriteAll(second.out.get(), "x"));
  ssize_t read = 0;
  loop.Watch(first.in.get(), POLLIN, [&](short) { second.in.Reset(); });
  loop.Watch(second.in.get(), POLLIN, [&](short) {
    char byte;
    read = ReadSome(second.in.get(), &byte, 1);
  });
  EXPECT_EQ(loop.Turn(Time::max()), 2);
  EXPECT_EQ(read, -1);
}

}  // namespace
}  // namespace glasstty

// Tests sessions on pipes instead of a terminal.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <string>

#include "holder/holder_client.h"
#include "holder/pattern.h"

namespace glasstty::holder {
namespace {

wire::LaunchSpec PipeSpec(const std::string& script) {
  wire::LaunchSpec spec = ShellSpec(script);
  spec.pipe = true;
  return spec;
}

TEST(Pipe, KeepsOutputAndErrorsApart) {
  StartedHolder client(PipeSpec("echo to out; echo to err >&2; tty; exit 4"));
  EXPECT_TRUE(client.info().pipe);
  auto exit = Expect<wire::Exit>(&client);
  EXPECT_EQ(WEXITSTATUS(exit.status), 4);
  ASSERT_TRUE(client.Await<wire::Empty>());
  EXPECT_EQ(client.Log(), "to out\nnot a tty\n");
  EXPECT_EQ(client.Log("err"), "to err\n");
}

TEST(Pipe, TakesInputUntilItsEnd) {
  StartedHolder client(PipeSpec("cat; echo done"));
  client.Write(1, "first ");
  auto consumed = Expect<wire::Consumed>(&client);
  EXPECT_EQ(consumed.serial, 1u);
  auto waits = client.AwaitProbe([](const wire::ProbeAnswer& a) {
    return a.waiting == wire::Waiting::kRead;
  });
  ASSERT_TRUE(waits);
  EXPECT_EQ(waits->waiting, wire::Waiting::kRead);
  client.Write(2, "second", wire::kWriteEof);
  ASSERT_TRUE(client.Await<wire::Exit>());
  EXPECT_EQ(client.Log(), "first seconddone\n");
  client.Write(3, "late");
  EXPECT_FALSE(client.AwaitText("late", std::chrono::milliseconds(50)));
}

// The shell may print and wait between the holder's last read of stderr and its
// examination. There are many rounds, because it seldom does.
TEST(Pipe, WaitsOnlyOnceItsErrorsAreStored) {
  StartedHolder client(PipeSpec("while read x; do echo err >&2; done"));
  uint64_t serial = 0;
  for (uint64_t line = 1; line <= 300; ++line) {
    client.Write(line, "x\n");
    wire::State state;
    do {
      client.Send(wire::Probe{++serial});
      state = Expect<wire::State>(&client);
    } while (!state.answer.settled ||
             state.answer.waiting != wire::Waiting::kRead);
    ASSERT_EQ(state.err_end, 4 * line);
  }
}

TEST(Pipe, MovesMuchInBothDirections) {
  StartedHolder client(PipeSpec("cat"));
  std::string text = Pattern(700'000, 6);
  for (size_t at = 0; at < text.size(); at += wire::kMaxPayload) {
    bool last = at + wire::kMaxPayload >= text.size();
    client.Write(at + 1, std::string_view(text).substr(at, wire::kMaxPayload),
                 last ? wire::kWriteEof : wire::kWritePlain);
  }
  ASSERT_TRUE(client.Await<wire::Exit>());
  EXPECT_TRUE(client.Log() == text);
}

TEST(Pipe, SaysThatAProgramDoesNotReadAnyMore) {
  StartedHolder client(PipeSpec("exec <&-; echo closed; sleep 100"), "closed");
  // The first write is refused, too, which finds out.
  for (uint64_t serial : {1, 2}) {
    client.Write(serial, "x");
    auto refused = Expect<wire::Refused>(&client);
    EXPECT_EQ(refused.serial, serial);
    EXPECT_EQ(refused.taken, 0u);
    EXPECT_EQ(refused.why, wire::WriteRefusal::kClosed);
  }
}

TEST(Pipe, EndsWhatDoesNotEndByItself) {
  StartedHolder client(PipeSpec("trap '' HUP TERM; setsid sleep 100 & wait"));
  client.Send(wire::Close{50, wire::kCloseKillSurvivors});
  EXPECT_TRUE(client.AwaitRows(0).empty());
  EXPECT_TRUE(client.Await<wire::Empty>());
}

TEST(Pipe, GoesOnWhileOnlyErrorsAreLeft) {
  StartedHolder client(PipeSpec("exec >&-; echo still >&2; exit 2"));
  auto exit = Expect<wire::Exit>(&client);
  EXPECT_EQ(WEXITSTATUS(exit.status), 2);
  EXPECT_EQ(client.Log("err"), "still\n");
}

}  // namespace
}  // namespace glasstty::holder

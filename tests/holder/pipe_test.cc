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
  HolderClient client(PipeSpec("echo to out; echo to err >&2; tty; exit 4"));
  ASSERT_TRUE(client.Greet());
  EXPECT_TRUE(client.info().pipe);
  auto exit = client.Await(wire::PacketType::kExit);
  ASSERT_TRUE(exit);
  EXPECT_EQ(WEXITSTATUS(exit->header.b), 4);
  ASSERT_TRUE(client.Await(wire::PacketType::kEmpty));
  EXPECT_EQ(client.Log(), "to out\nnot a tty\n");
  EXPECT_EQ(client.Log("err"), "to err\n");
}

TEST(Pipe, TakesInputUntilItsEnd) {
  HolderClient client(PipeSpec("cat; echo done"));
  ASSERT_TRUE(client.Greet());
  client.Write(1, "first ");
  auto consumed = client.Await(wire::PacketType::kConsumed);
  ASSERT_TRUE(consumed);
  EXPECT_EQ(consumed->header.a, 1u);
  auto waits = client.AwaitProbe([](const wire::ProbeAnswer& a) {
    return a.waiting == wire::Waiting::kRead;
  });
  ASSERT_TRUE(waits);
  EXPECT_EQ(waits->waiting, wire::Waiting::kRead);
  client.Write(2, "second", wire::kWriteEof);
  ASSERT_TRUE(client.Await(wire::PacketType::kExit));
  EXPECT_EQ(client.Log(), "first seconddone\n");
  client.Write(3, "late");
  EXPECT_FALSE(client.AwaitText("late", std::chrono::milliseconds(50)));
}

TEST(Pipe, MovesMuchInBothDirections) {
  HolderClient client(PipeSpec("cat"));
  ASSERT_TRUE(client.Greet());
  std::string text = Pattern(700'000, 6);
  for (size_t at = 0; at < text.size(); at += wire::kMaxPayload) {
    bool last = at + wire::kMaxPayload >= text.size();
    client.Write(at + 1, std::string_view(text).substr(at, wire::kMaxPayload),
                 last ? wire::kWriteEof : wire::kWritePlain);
  }
  ASSERT_TRUE(client.Await(wire::PacketType::kExit));
  EXPECT_TRUE(client.Log() == text);
}

TEST(Pipe, SaysThatAProgramDoesNotReadAnyMore) {
  HolderClient client(PipeSpec("exec <&-; echo closed; sleep 100"));
  ASSERT_TRUE(client.Greet());
  ASSERT_TRUE(client.AwaitText("closed"));
  client.Write(1, "x");
  client.Write(2, "y");
  auto refused = client.Await(wire::PacketType::kRefused);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->header.b,
            static_cast<uint64_t>(wire::WriteRefusal::kClosed));
}

TEST(Pipe, EndsWhatDoesNotEndByItself) {
  HolderClient client(PipeSpec("trap '' HUP TERM; setsid sleep 100 & wait"));
  ASSERT_TRUE(client.Greet());
  client.Send(wire::PacketType::kClose, 50, wire::kCloseKillSurvivors);
  EXPECT_TRUE(client.AwaitRows(0).empty());
  EXPECT_TRUE(client.Await(wire::PacketType::kEmpty));
}

TEST(Pipe, GoesOnWhileOnlyErrorsAreLeft) {
  HolderClient client(PipeSpec("exec >&-; echo still >&2; exit 2"));
  ASSERT_TRUE(client.Greet());
  auto exit = client.Await(wire::PacketType::kExit);
  ASSERT_TRUE(exit);
  EXPECT_EQ(WEXITSTATUS(exit->header.b), 2);
  EXPECT_EQ(client.Log("err"), "still\n");
}

}  // namespace
}  // namespace glasstty::holder

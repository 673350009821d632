// Tests one session from its start to its end, as its server sees it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <string>

#include "holder/holder_client.h"
#include "wire/session_files.h"

namespace glasstty::holder {
namespace {

TEST(Session, ShowsWhatTheProgramPrintsAndHowItEnds) {
  HolderClient client(ShellSpec("printf 'hello\\n'; exit 7"));
  ASSERT_TRUE(client.Greet());
  EXPECT_EQ(client.info().rows, 40);
  EXPECT_EQ(client.info().cols, 120);
  auto exit = client.Await(wire::PacketType::kExit);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->header.a, 7u);
  EXPECT_EQ(WEXITSTATUS(exit->header.b), 7);
  ASSERT_TRUE(client.Await(wire::PacketType::kEmpty));
  EXPECT_TRUE(client.AwaitDeath());
  EXPECT_EQ(client.Log(), "hello\r\n");
  EXPECT_FALSE(client.dir().Has("ctl"));
}

TEST(Session, DeletesTheVariablesThatNoShellHasRead) {
  HolderClient client(ActorSpec({"echo"}));
  ASSERT_TRUE(client.Greet());
  ASSERT_TRUE(client.AwaitText("ready"));
  ASSERT_TRUE(
      ReplaceFileAt(client.dir().fd(), wire::kEnvironmentName, "TOKEN=1"));
  client.Send(wire::PacketType::kClose, 2000, 0);
  ASSERT_TRUE(client.Await(wire::PacketType::kExit));
  EXPECT_FALSE(client.dir().Has(wire::kEnvironmentName));
}

TEST(Session, TypesWhatItIsTold) {
  HolderClient client(ActorSpec({"echo"}));
  ASSERT_TRUE(client.Greet());
  ASSERT_TRUE(client.AwaitText("ready"));
  client.Write(1, "glass");
  auto consumed = client.Await(wire::PacketType::kConsumed);
  ASSERT_TRUE(consumed);
  EXPECT_EQ(consumed->header.a, 1u);
  EXPECT_EQ(consumed->header.b,
            static_cast<uint64_t>(wire::ConsumedHow::kRead));
  EXPECT_TRUE(client.AwaitText("glass"));
}

TEST(Session, SaysThatAShellWaitsForInput) {
  wire::LaunchSpec spec = ActorSpec({});
  spec.argv = {"bash", "--norc", "-i"};
  HolderClient client(spec);
  ASSERT_TRUE(client.Greet());
  auto answer = client.AwaitProbe([](const wire::ProbeAnswer& a) {
    return a.waiting == wire::Waiting::kRead ||
           a.waiting == wire::Waiting::kPoll;
  });
  ASSERT_TRUE(answer);
  EXPECT_EQ(std::string(answer->name), "bash");
  EXPECT_EQ(answer->foreground_pgrp, client.leader());
  EXPECT_EQ(answer->unread, 0);
}

TEST(Session, EndsAtOnceWhenTheProgramObeysTheHangUp) {
  HolderClient client(ShellSpec("exec sleep 100"));
  ASSERT_TRUE(client.Greet());
  auto start = std::chrono::steady_clock::now();
  client.Send(wire::PacketType::kClose, 2000, 0);
  EXPECT_TRUE(client.AwaitRows(0).empty());
  ASSERT_TRUE(client.Await(wire::PacketType::kEmpty));
  EXPECT_LT(std::chrono::steady_clock::now() - start,
            std::chrono::milliseconds(1000));
  EXPECT_TRUE(client.AwaitDeath());
}

TEST(Session, EndsByForceAfterTheGrace) {
  HolderClient client(ShellSpec("trap '' HUP TERM; echo up; sleep 100"));
  ASSERT_TRUE(client.Greet());
  ASSERT_TRUE(client.AwaitText("up"));
  client.Send(wire::PacketType::kClose, 100, 0);
  auto exit = client.Await(wire::PacketType::kExit);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->header.b, static_cast<uint64_t>(SIGKILL));
  EXPECT_TRUE(client.AwaitRows(0).empty());
  EXPECT_TRUE(client.AwaitDeath());
}

}  // namespace
}  // namespace glasstty::holder

// Tests one session from its start to its end, as its server sees it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <string>

#include "holder/holder_client.h"
#include "wire/session_files.h"

namespace glasstty::holder {
namespace {

TEST(Session, ShowsWhatTheProgramPrintsAndHowItEnds) {
  StartedHolder client(ShellSpec("printf 'hello\\n'; exit 7"));
  EXPECT_EQ(client.info().rows, 40);
  EXPECT_EQ(client.info().cols, 120);
  auto exit = Expect<wire::Exit>(&client);
  EXPECT_EQ(exit.offset, 7u);
  EXPECT_EQ(WEXITSTATUS(exit.status), 7);
  ASSERT_TRUE(client.Await<wire::Empty>());
  EXPECT_TRUE(client.AwaitDeath());
  EXPECT_EQ(client.Log(), "hello\r\n");
  EXPECT_FALSE(client.dir().Has("ctl"));
}

TEST(Session, DeletesTheVariablesThatNoShellHasRead) {
  StartedHolder client(ActorSpec({"echo"}), "ready");
  ASSERT_TRUE(
      ReplaceFileAt(client.dir().fd(), wire::kEnvironmentName, "TOKEN=1"));
  client.Send(wire::Close{2000, 0});
  ASSERT_TRUE(client.Await<wire::Exit>());
  EXPECT_FALSE(client.dir().Has(wire::kEnvironmentName));
}

TEST(Session, TypesWhatItIsTold) {
  StartedHolder client(ActorSpec({"echo"}), "ready");
  client.Write(1, "glass");
  auto consumed = Expect<wire::Consumed>(&client);
  EXPECT_EQ(consumed.serial, 1u);
  EXPECT_EQ(consumed.how, wire::ConsumedHow::kRead);
  EXPECT_TRUE(client.AwaitText("glass"));
}

TEST(Session, SaysThatAShellWaitsForInput) {
  wire::LaunchSpec spec = ActorSpec({});
  spec.argv = {"bash", "--norc", "-i"};
  StartedHolder client(spec);
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
  StartedHolder client(ShellSpec("exec sleep 100"));
  auto start = std::chrono::steady_clock::now();
  client.Send(wire::Close{2000, 0});
  EXPECT_TRUE(client.AwaitRows(0).empty());
  ASSERT_TRUE(client.Await<wire::Empty>());
  EXPECT_LT(std::chrono::steady_clock::now() - start,
            std::chrono::milliseconds(1000));
  EXPECT_TRUE(client.AwaitDeath());
}

TEST(Session, EndsByForceAfterTheGrace) {
  StartedHolder client(ShellSpec("trap '' HUP TERM; echo up; sleep 100"), "up");
  client.Send(wire::Close{100, 0});
  auto exit = Expect<wire::Exit>(&client);
  EXPECT_EQ(exit.status, SIGKILL);
  EXPECT_TRUE(client.AwaitRows(0).empty());
  EXPECT_TRUE(client.AwaitDeath());
}

}  // namespace
}  // namespace glasstty::holder

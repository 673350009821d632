// Tests that servers come and go: grace, adoption, back-pressure, the holder's
// own death.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <string>

#include "holder/holder_client.h"
#include "holder/pattern.h"
#include "wire/log_reader.h"

namespace glasstty::holder {
namespace {

// This is the limit in holder/output.cc; a buffer beyond the window may be
// read.
constexpr size_t kLeastWindow = 64u << 10;
constexpr size_t kMostWindow = 2u << 20;
constexpr size_t kOneRead = 64u << 10;

using std::chrono::milliseconds;

TEST(Grace, EndsEverythingWhenItIsOver) {
  wire::LaunchSpec spec = ShellSpec("setsid sleep 100 & echo up; sleep 100");
  spec.grace_ms = 100;
  StartedHolder client(spec, "up");
  pid_t leader = client.leader();
  client.Disconnect();
  EXPECT_TRUE(client.AwaitDeath());
  EXPECT_TRUE(AwaitProcessEnd(leader));
  EXPECT_TRUE(client.dir().Has("exit"));
  EXPECT_FALSE(client.dir().Has("ctl"));
}

TEST(Grace, EndsAProgramThatIgnoresItsEnd) {
  wire::LaunchSpec spec =
      ShellSpec("trap '' HUP TERM; echo up; while :; do sleep 1000; done");
  spec.grace_ms = 50;
  StartedHolder client(spec, "up");
  client.Disconnect();
  // This covers the grace, two seconds of politeness, then force.
  EXPECT_TRUE(client.AwaitDeath(milliseconds(10'000)));
  EXPECT_TRUE(AwaitProcessEnd(client.leader()));
}

TEST(Grace, CanBeChangedWhileAServerIsThere) {
  wire::LaunchSpec spec = ShellSpec("sleep 100");
  StartedHolder client(spec);
  client.Send(wire::Policy{50, 0});
  client.Disconnect();
  EXPECT_TRUE(client.AwaitDeath());
}

TEST(Grace, StopsWhenAServerComesBack) {
  wire::LaunchSpec spec = ActorSpec({"echo"});
  spec.grace_ms = 700;
  StartedHolder client(spec);
  client.Disconnect();
  ASSERT_TRUE(client.Reconnect());
  ASSERT_TRUE(client.Greet());
  // This exceeds the grace; the control socket would report an end.
  EXPECT_FALSE(client.Await<wire::Exit>(milliseconds(1000)));
  EXPECT_FALSE(client.closed());
}

TEST(Grace, IsNotProlongedByAServerThatSaysNothing) {
  wire::LaunchSpec spec = ShellSpec("sleep 100");
  spec.grace_ms = 600;
  StartedHolder client(spec);
  client.Disconnect();
  ASSERT_TRUE(client.Reconnect());
  EXPECT_TRUE(client.AwaitDeath());
}

TEST(Holder, EndsItsSessionPolitelyOnSigterm) {
  StartedHolder client(
      ShellSpec("trap '' HUP; trap 'echo bye; exit 9' TERM; echo up;"
                " while :; do sleep 0.01; done"),
      "up");
  kill(client.info().holder_pid, SIGTERM);
  auto exit = Expect<wire::Exit>(&client);
  EXPECT_EQ(WEXITSTATUS(exit.status), 9);
  EXPECT_NE(client.Log().find("bye"), std::string::npos);
  EXPECT_TRUE(client.AwaitDeath());
}

TEST(Holder, LeavesAReadableLogWhenItIsKilled) {
  StartedHolder client(ActorSpec({"lines", "0"}), "line 500\r\n");
  EXPECT_FALSE(wire::HolderIsDead(client.dir().fd()));
  kill(client.info().holder_pid, SIGKILL);
  EXPECT_TRUE(client.AwaitDeath());
  EXPECT_TRUE(client.AwaitUntil([&] { return client.closed(); }));
  // The terminal died with its holder, which hung up the program.
  EXPECT_TRUE(AwaitProcessEnd(client.leader()));
  std::string log = client.Log();
  for (int i = 0; i < 500; ++i) {
    ASSERT_NE(log.find("line " + std::to_string(i) + "\r\n"),
              std::string::npos);
  }
  EXPECT_FALSE(wire::ConnectHolder(client.dir().fd()).valid());
  EXPECT_EQ(errno, ECONNREFUSED);
  EXPECT_FALSE(client.dir().Has("exit"));
}

TEST(Holder, IsNoChildOfItsLauncher) {
  StartedHolder client(ShellSpec("sleep 100"));
  EXPECT_EQ(waitpid(client.info().holder_pid, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(getsid(client.info().holder_pid), client.info().holder_pid);
}

// Returns the type of the next packet, or null at the end of the connection.
std::optional<wire::PacketType> NextType(const UniqueFd& connection) {
  char buffer[8192];
  wire::Packet packet{};
  wire::Receive got = wire::Receive::kNothing;
  EXPECT_TRUE(Eventually([&] {
    got = wire::ReceivePacket(connection.get(), buffer, sizeof buffer, &packet);
    return got != wire::Receive::kNothing;
  }));
  if (got != wire::Receive::kPacket) return std::nullopt;
  return packet.header.type;
}

TEST(Adoption, TellsASecondServerThatItIsTaken) {
  StartedHolder client(ActorSpec({"echo"}));
  UniqueFd second = wire::ConnectHolder(client.dir().fd());
  ASSERT_TRUE(second.valid());
  EXPECT_EQ(NextType(second), wire::Busy::kType);
  EXPECT_EQ(NextType(second), std::nullopt);
  client.Write(1, "x");
  EXPECT_TRUE(client.Await<wire::Consumed>());
}

// The lock of a server that is killed may be free before its connection is
// closed.
TEST(Adoption, LetsASuccessorWaitForTheEndOfAServer) {
  StartedHolder client(ActorSpec({"echo"}));
  UniqueFd second = wire::ConnectHolder(client.dir().fd());
  ASSERT_TRUE(second.valid());
  ASSERT_TRUE(wire::SendMessage(second.get(), wire::Hello{}));
  // The holder sees the connection before it has dealt with both.
  for (uint64_t serial : {1, 2}) {
    client.Write(serial, "x\n");
    ASSERT_TRUE(client.Await<wire::Consumed>());
  }
  client.Disconnect();
  EXPECT_EQ(NextType(second), wire::Welcome::kType);
}

TEST(Adoption, ShowsTheNextServerTheWholeLog) {
  HolderClient client(ActorSpec({"print", "300000", "5", "exit", "4"}));
  // The first server dies at once, whatever it has seen.
  client.Disconnect();
  UniqueFd fd;
  bool met = Eventually([&] {
    fd = wire::ConnectHolder(client.dir().fd());
    return fd.valid() || client.dir().Has("exit");
  });
  ASSERT_TRUE(met);
  fd.Reset();
  ASSERT_TRUE(client.AwaitDeath());
  EXPECT_EQ(client.Log(), Pattern(300'000, 5));
  std::string file;
  wire::ExitRecord record;
  ASSERT_TRUE(
      ReadFileAt(client.dir().fd(), wire::kExitName, sizeof record, &file));
  file.copy(reinterpret_cast<char*>(&record), sizeof record);
  EXPECT_EQ(record.offset, 300'000u);
  EXPECT_EQ(WEXITSTATUS(record.status), 4);
}

// Servers are lost at random moments while numbered lines are printed; each
// next one sees a log that starts with what the one before has seen.
TEST(Adoption, KeepsTheLogPrefixExactOverManyServers) {
  StartedHolder client(ActorSpec({"lines", "0"}));
  std::mt19937 random(31);
  std::string seen;
  for (int server = 0; server < 20; ++server) {
    uint64_t target = client.LogEnd() + random() % 10'000;
    client.AwaitUntil([&] { return client.LogEnd() > target; });
    std::string now = client.Log();
    ASSERT_EQ(now.compare(0, seen.size(), seen), 0);
    seen = std::move(now);
    client.Disconnect();
    ASSERT_TRUE(client.Reconnect());
    ASSERT_TRUE(client.Greet());
    EXPECT_TRUE(client.info().started);
    EXPECT_GE(client.info().end, seen.size());
  }
  std::string expected;
  for (int i = 0; expected.size() < seen.size(); ++i) {
    expected += "line " + std::to_string(i) + "\r\n";
  }
  expected.resize(seen.size());
  EXPECT_TRUE(seen == expected);
}

TEST(Adoption, TellsOfAnExitThatHappenedMeanwhile) {
  StartedHolder client(
      ShellSpec("setsid sleep 100 & sleep 0.2; echo gone; exit 6"));
  client.Disconnect();
  ASSERT_TRUE(Eventually([&] { return client.dir().Has("exit"); }));
  ASSERT_TRUE(client.Reconnect());
  ASSERT_TRUE(client.Greet());
  EXPECT_TRUE(client.info().exited);
  EXPECT_TRUE(client.info().tail_open);
  auto exit = Expect<wire::Exit>(&client);
  EXPECT_EQ(exit.offset, client.info().exit_offset);
  EXPECT_EQ(WEXITSTATUS(exit.status), 6);
}

TEST(BackPressure, StopsReadingWhenTheServerIsFarBehind) {
  HolderClient client(ActorSpec({"flood", "30000000"}));
  client.set_acknowledges(false);
  ASSERT_TRUE(client.Greet());
  Expect<wire::Data>(&client);
  auto size = [&] { return client.LogEnd(); };
  ASSERT_TRUE(Eventually([&] { return size() > kLeastWindow; }));
  // It stays there: there is one doorbell, and no growth. Probes are still
  // answered.
  size_t before = size();
  for (int i = 0; i < 20; ++i) {
    auto answer = client.ProbeOnce();
    ASSERT_TRUE(answer);
    EXPECT_FALSE(answer->settled);
  }
  EXPECT_LE(size(), kLeastWindow + kOneRead);
  EXPECT_EQ(size(), before);
  EXPECT_FALSE(client.Poll<wire::Data>());
  // The ack lets it continue.
  client.set_acknowledges(true);
  client.Send(wire::Ack{size()});
  EXPECT_TRUE(client.AwaitUntil([&] { return size() >= 30'000'003; }));
  EXPECT_EQ(client.Log(), Pattern(30'000'000, 1) + "END");
}

TEST(BackPressure, LetsAServerThatHasTakenMuchBeFurtherBehind) {
  HolderClient client(ActorSpec({"flood", "30000000"}));
  client.set_acknowledges(false);
  ASSERT_TRUE(client.Greet());
  size_t taken = 0;
  while (taken < kMostWindow) {
    ASSERT_TRUE(
        Eventually([&] { return client.LogEnd() > taken + kLeastWindow; }));
    taken = client.LogEnd();
    client.Send(wire::Ack{taken});
  }
  EXPECT_TRUE(
      Eventually([&] { return client.LogEnd() > taken + kMostWindow; }));
  ASSERT_TRUE(client.ProbeOnce());
  EXPECT_LE(client.LogEnd(), taken + kMostWindow + kOneRead);
}

TEST(BackPressure, DoesNotHoldUpAProgramThatNobodyWatches) {
  HolderClient client(ActorSpec({"flood", "20000000"}));
  client.Disconnect();
  EXPECT_TRUE(Eventually([&] { return client.LogEnd() >= 20'000'003; }));
}

TEST(BackPressure, LetsAnExitThrough) {
  HolderClient client(ActorSpec({"print", "2200000", "1", "exit", "2"}));
  client.set_acknowledges(false);
  ASSERT_TRUE(client.Greet());
  EXPECT_TRUE(Eventually([&] { return client.LogEnd() > kLeastWindow; }));
  client.set_acknowledges(true);
  client.Send(wire::Ack{kLeastWindow});
  auto exit = Expect<wire::Exit>(&client);
  EXPECT_EQ(exit.offset, 2'200'000u);
}

TEST(Link, IgnoresWhatItDoesNotKnow) {
  StartedHolder client(ActorSpec({"echo"}));
  wire::SendPacket(client.control(),
                   {.type = static_cast<wire::PacketType>(4711)}, "text");
  client.Send(wire::Signal{9999, static_cast<wire::SignalTarget>(9999)});
  client.Send(wire::Resize{0, 1u << 20});
  auto resized = Expect<wire::Resized>(&client);
  EXPECT_EQ(resized, (wire::Resized{resized.offset, 40, 120}));
  client.Write(1, "x");
  EXPECT_TRUE(client.Await<wire::Consumed>());
}

TEST(Link, LosesAServerThatSpeaksNonsenseButKeepsTheSession) {
  StartedHolder client(ActorSpec({"echo"}));
  ASSERT_EQ(send(client.control(), "nonsense", 8, 0), 8);
  EXPECT_TRUE(client.AwaitUntil([&] { return client.closed(); }));
  ASSERT_TRUE(client.Reconnect());
  ASSERT_TRUE(client.Greet());
  client.Write(1, "still here");
  EXPECT_TRUE(client.AwaitText("still here"));
}

TEST(Link, AnswersAServerOfAnotherVersion) {
  HolderClient client(ShellSpec("sleep 100"));
  client.Send(wire::Hello{7, 9});
  auto welcome = Expect<wire::Welcome>(&client);
  EXPECT_EQ(welcome.version, wire::kWireVersion);
  wire::PacketHeader kill{.version = 9, .type = wire::Kill::kType};
  ASSERT_TRUE(wire::SendPacket(client.control(), kill));
  EXPECT_TRUE(client.Await<wire::Empty>());
}

TEST(Link, AnswersEveryRequestOfAServerThatReadsLate) {
  StartedHolder client(ActorSpec({"echo"}));
  // These are more answers than a socket queues.
  constexpr uint64_t kRequests = 3000;
  for (uint64_t i = 1; i <= kRequests; ++i) {
    if (!wire::SendMessage(client.control(), wire::Tree{i})) {
      // The holder accepts no more requests until its answers are read.
      ASSERT_EQ(errno, EAGAIN);
      ASSERT_TRUE(client.AwaitUntil([&, first = true]() mutable {
        return !std::exchange(first, false);
      }));
      --i;
    }
  }
  for (uint64_t i = 1; i <= kRequests; ++i) {
    auto end = Expect<wire::TreeEnd>(&client);
    ASSERT_EQ(end.serial, i);
  }
}

}  // namespace
}  // namespace glasstty::holder

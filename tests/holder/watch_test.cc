// Tests that observers watch, that one person at a time has the keyboard, and
// that neither the program nor the server notices more than what is typed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <memory>
#include <string>
#include <vector>

#include "holder/holder_client.h"
#include "holder/key_stream.h"
#include "holder/lease.h"
#include "holder/pattern.h"
#include "testing/observer_client.h"

namespace glasstty::holder {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kShort{300};

class GreetedObserver : public ObserverClient {
 public:
  explicit GreetedObserver(HolderClient* client)
      : ObserverClient(client->dir().fd()) {
    EXPECT_TRUE(Greet());
  }
};

// Receives Lease messages of the server until one has these flags.
std::optional<wire::LeaseInfo> AwaitServerLease(HolderClient* client,
                                                uint64_t flags) {
  for (;;) {
    auto lease = client->Await<wire::Lease>();
    if (!lease) return std::nullopt;
    if (lease->flags == flags) return lease->info;
  }
}

std::optional<wire::Refused> AwaitRefused(HolderClient* client,
                                          uint64_t serial) {
  for (;;) {
    auto refused = client->Await<wire::Refused>();
    if (!refused || refused->serial == serial) return refused;
  }
}

TEST(Watch, IsASocketForThisUserAlone) {
  StartedHolder client(ActorSpec({"echo"}));
  struct stat info;
  ASSERT_EQ(stat(client.dir().File("watch").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST(Watch, TellsAnObserverWhatIsThereAndWhatComes) {
  StartedHolder client(ActorSpec({"echo"}), "ready");
  GreetedObserver observer(&client);
  EXPECT_EQ(observer.info().rows, 40);
  EXPECT_EQ(observer.info().leader_pid, client.leader());
  EXPECT_EQ(observer.info().lease_serial, 0u);
  auto data = Expect<wire::Data>(&observer);
  EXPECT_GE(data.out_end, 5u);
  observer.Send(wire::Ack{data.out_end});
  client.Write(1, "x");
  // The doorbell may ring for what is known already.
  auto more = observer.Await<wire::Data>();
  while (more && more->out_end == data.out_end) {
    more = observer.Await<wire::Data>();
  }
  ASSERT_TRUE(more);
  EXPECT_GT(more->out_end, data.out_end);
}

TEST(Watch, RefusesOneObserverTooMany) {
  StartedHolder client(ActorSpec({"echo"}));
  std::vector<std::unique_ptr<ObserverClient>> observers;
  for (size_t i = 0; i < wire::kMaxObservers; ++i) {
    observers.push_back(std::make_unique<ObserverClient>(client.dir().fd()));
    ASSERT_TRUE(observers.back()->Greet());
  }
  ObserverClient ninth(client.dir().fd());
  EXPECT_TRUE(ninth.Await<wire::Busy>());
  EXPECT_TRUE(ninth.AwaitClose());
  // An observer's place is free again when it has gone.
  observers.pop_back();
  EXPECT_TRUE(Eventually([&] {
    ObserverClient next(client.dir().fd());
    return next.Greet();
  }));
}

TEST(Watch, DoesNotAnswerOneThatHasNotSaidWhoItIs) {
  StartedHolder client(ActorSpec({"echo"}));
  ObserverClient observer(client.dir().fd());
  observer.Send(wire::Take{});
  observer.Send(wire::Write{1, 0, "typed"});
  EXPECT_FALSE(observer.Await<wire::Lease>(kShort));
  EXPECT_EQ(client.Log().find("typed"), std::string::npos);
}

// Another server of the user ends a session where it is.
TEST(Watch, LetsAnObserverEndTheSessionAndTellsItWhatIsLeft) {
  // Only what has left the session survives its end.
  StartedHolder client(
      ShellSpec("setsid -f sh -c 'echo ready; exec sleep 1010'; exec cat"),
      "ready");
  GreetedObserver observer(&client);
  observer.Send(wire::Close{100, 0});
  EXPECT_TRUE(client.Await<wire::Exit>());
  auto row = Expect<wire::TreeRow>(&observer);
  EXPECT_NE(row.command.find("sleep 1010"), std::string::npos);
  EXPECT_TRUE(observer.Await<wire::TreeEnd>());
  observer.Send(wire::Close{100, wire::kCloseKillSurvivors});
  EXPECT_TRUE(observer.Await<wire::Empty>());
}

// A server that uses the session of another one waits for ports so.
TEST(Watch, TellsAnObserverWhichProcessesListen) {
  StartedHolder client(
      ShellSpec("exec python3 -c \"import socket;s=socket.create_server(("
                "'127.0.0.1',0));print('ready');input()\""),
      "ready");
  GreetedObserver observer(&client);
  observer.Send(wire::Tree{7, wire::kTreeListening});
  auto row = Expect<wire::TreeRow>(&observer);
  EXPECT_EQ(row.serial, 7u);
  EXPECT_EQ(row.ports.size(), 1u);
  EXPECT_TRUE(observer.Await<wire::TreeEnd>());
}

TEST(Watch, LetsAnObserverSendASignal) {
  StartedHolder client(ShellSpec("echo ready; exec cat"), "ready");
  GreetedObserver observer(&client);
  observer.Send(wire::Signal{SIGINT});
  EXPECT_TRUE(client.Await<wire::Exit>());
}

TEST(Watch, KeepsTheLabelPrintableAndShort) {
  StartedHolder client(ActorSpec({"echo"}));
  ObserverClient observer(client.dir().fd());
  ASSERT_TRUE(observer.Greet("a\x1b[2J\n" + std::string(100, 'b')));
  ASSERT_TRUE(observer.Take());
  auto lease = AwaitServerLease(&client, wire::kLeaseHeld);
  ASSERT_TRUE(lease);
  EXPECT_EQ(std::string(lease->label), "a?[2J?" + std::string(25, 'b'));
}

TEST(Watch, DoesNotStopTheGrace) {
  wire::LaunchSpec spec = ShellSpec("sleep 100");
  spec.grace_ms = 300;
  StartedHolder client(spec);
  GreetedObserver observer(&client);
  client.Disconnect();
  EXPECT_TRUE(client.AwaitDeath());
}

TEST(Watch, TellsTheEndToThoseWhoLookOn) {
  StartedHolder client(ShellSpec("stty raw; echo up; read x; exit 3"), "up");
  GreetedObserver observer(&client);
  client.Write(1, "\n");
  auto exit = Expect<wire::Exit>(&observer);
  EXPECT_EQ(WEXITSTATUS(exit.status), 3);
  EXPECT_TRUE(observer.Await<wire::Empty>());
}

// Eight observers never acknowledge, but only the server stops the program.
TEST(Watch, StopsNoProgramWhoeverDoesNotRead) {
  StartedHolder client(ActorSpec({"flood", "20000000"}));
  std::vector<std::unique_ptr<ObserverClient>> observers;
  for (size_t i = 0; i < wire::kMaxObservers; ++i) {
    observers.push_back(std::make_unique<ObserverClient>(client.dir().fd()));
    ASSERT_TRUE(
        observers.back()->Send(wire::Watch{1, wire::kWireVersion, "slow"}));
  }
  EXPECT_TRUE(client.AwaitUntil([&] { return client.LogEnd() >= 20'000'003; }));
}

TEST(Watch, AcknowledgementsOfObserversDoNotLetAProgramRunAhead) {
  HolderClient client(ActorSpec({"flood", "30000000"}));
  client.set_acknowledges(false);
  ASSERT_TRUE(client.Greet());
  GreetedObserver observer(&client);
  ASSERT_TRUE(Eventually([&] { return client.LogEnd() > 64u << 10; }));
  uint64_t before = client.LogEnd();
  for (int i = 0; i < 50; ++i) {
    observer.Send(wire::Ack{client.LogEnd()});
    ASSERT_TRUE(client.ProbeOnce());
  }
  EXPECT_EQ(client.LogEnd(), before);
}

// It asks and never reads its answers.
TEST(Watch, DropsAnObserverThatDoesNotRead) {
  StartedHolder client(ActorSpec({"echo"}));
  ObserverClient deaf(client.dir().fd());
  ASSERT_TRUE(deaf.Greet("deaf"));
  // Each is refused, because it has not taken the keyboard.
  ASSERT_TRUE(Eventually([&] {
    for (int i = 0; i < 100; ++i) deaf.Type("x");
    return errno == EPIPE || errno == ECONNRESET;
  }));
  EXPECT_TRUE(deaf.AwaitClose());
  client.Write(1, "y");
  EXPECT_TRUE(client.Await<wire::Consumed>());
}

TEST(Lease, IsGrantedAtOnceAndToldToEverybody) {
  StartedHolder client(ActorSpec({"echo"}));
  ObserverClient person(client.dir().fd()), other(client.dir().fd());
  ASSERT_TRUE(person.Greet("attach pts/3"));
  ASSERT_TRUE(other.Greet("other"));
  ASSERT_TRUE(person.Take());
  auto told = AwaitServerLease(&client, wire::kLeaseHeld);
  ASSERT_TRUE(told);
  EXPECT_EQ(std::string(told->label), "attach pts/3");
  EXPECT_EQ(told->pid, getpid());
  EXPECT_EQ(told->rows, 40);
  EXPECT_TRUE(other.AwaitLease(wire::kLeaseHeld));
  person.Type("typed");
  EXPECT_TRUE(client.AwaitText("typed"));
  person.Send(wire::Give{});
  auto given = AwaitServerLease(&client, 0);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->serial, told->serial + 1);
  EXPECT_EQ(given->how, wire::LeaseEnd::kGiven);
  EXPECT_EQ(given->writes, 1u);
  EXPECT_EQ(given->bytes, 5u);
}

TEST(Lease, IsNeededForTypingAndForTheSize) {
  StartedHolder client(ActorSpec({"echo"}));
  GreetedObserver person(&client);
  person.Type("typed");
  auto refused = Expect<wire::Refused>(&person);
  EXPECT_EQ(refused.why, wire::WriteRefusal::kPersonTypes);
  person.Send(wire::Resize{10, 20});
  auto resized = Expect<wire::Resized>(&person);
  EXPECT_EQ(resized, (wire::Resized{resized.offset, 40, 120}));
  ASSERT_TRUE(person.Take());
  person.Send(wire::Resize{10, 20});
  ASSERT_TRUE(client.AwaitUntil([&] {
    auto told = client.Poll<wire::Resized>();
    return told && told->rows == 10 && told->cols == 20;
  }));
}

TEST(Lease, RefusesTheServerWhileAPersonTypes) {
  StartedHolder client(ActorSpec({"echo"}));
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take());
  client.Write(1, "agent");
  auto refused = AwaitRefused(&client, 1);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->why, wire::WriteRefusal::kPersonTypes);
  EXPECT_EQ(refused->taken, 0u);
  client.Send(wire::Resize{10, 20});
  auto resized = Expect<wire::Resized>(&client);
  EXPECT_EQ(resized, (wire::Resized{resized.offset, 40, 120}));
  // Replies of the terminal to its program pass.
  client.Write(2, "reply", wire::kWriteReply);
  EXPECT_TRUE(client.AwaitText("reply"));
  person.Send(wire::Give{});
  ASSERT_TRUE(AwaitServerLease(&client, 0));
  client.Write(3, "again");
  EXPECT_TRUE(client.AwaitText("again"));
  EXPECT_EQ(client.Log().find("agent"), std::string::npos);
}

// The rest of a write in several packets is refused together with its
// beginning, even if the keyboard is free again by then.
TEST(Lease, RefusesAWriteInSeveralPacketsAsAWhole) {
  StartedHolder client(ActorSpec({"echo"}));
  GreetedObserver person(&client);
  client.Write(1, "begun,", wire::kWriteMore);
  ASSERT_TRUE(client.ProbeOnce());
  ASSERT_TRUE(person.Take());
  person.Send(wire::Give{});
  ASSERT_TRUE(person.AwaitLease(0));
  client.Write(2, "ended");
  ASSERT_TRUE(AwaitRefused(&client, 2));
  client.Write(3, "later");
  ASSERT_TRUE(client.AwaitText("later"));
  EXPECT_EQ(client.Log().find("begun"), std::string::npos);
  EXPECT_EQ(client.Log().find("ended"), std::string::npos);
}

// The program does not read, so most of the write waits in the holder.
TEST(Lease, MakesWhatIsQueuedGiveWay) {
  StartedHolder client(ActorSpec({"late", "700", "5"}), "ready");
  std::string text(wire::kMaxPayload, 'a');
  for (uint64_t serial = 1; serial <= 30; ++serial) client.Write(serial, text);
  ASSERT_TRUE(client.ProbeOnce());
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take());
  auto refused = AwaitRefused(&client, 30);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->why, wire::WriteRefusal::kPersonTypes);
  EXPECT_EQ(refused->taken, 0u);
}

TEST(Lease, IsNotGrantedTwiceUnlessTakenOver) {
  StartedHolder client(ActorSpec({"echo"}));
  ObserverClient first(client.dir().fd()), second(client.dir().fd());
  ASSERT_TRUE(first.Greet("first"));
  ASSERT_TRUE(second.Greet("second"));
  ASSERT_TRUE(first.Take());
  EXPECT_FALSE(second.Take());
  second.Send(wire::Take{0, wire::kTakeOver});
  auto mine = second.AwaitLease(wire::kLeaseHeld | wire::kLeaseYours);
  ASSERT_TRUE(mine);
  EXPECT_EQ(std::string(mine->label), "second");
  EXPECT_TRUE(first.AwaitLease(wire::kLeaseHeld));
  first.Type("late");
  ASSERT_TRUE(first.Await<wire::Refused>());
  // It gives back what it does not have.
  first.Send(wire::Give{});
  second.Type("typed");
  EXPECT_TRUE(client.AwaitText("typed"));
}

TEST(Lease, IsForOneWriteIfSoTaken) {
  StartedHolder client(ActorSpec({"cooked", "noecho"}), "ready");
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take(0, wire::kTakeOnce));
  person.Type("hunter2\n", wire::kWriteSecret);
  EXPECT_TRUE(client.AwaitText("line 8"));
  auto given = AwaitServerLease(&client, 0);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->how, wire::LeaseEnd::kGiven);
  EXPECT_EQ(given->secrets, 1u);
  EXPECT_EQ(given->writes, 0u);
  EXPECT_EQ(given->bytes, 0u);
  EXPECT_EQ(client.Log().find("hunter2"), std::string::npos);
}

// Nobody learns even the length of a password, however it is typed.
TEST(Lease, CountsKeysAtASecretPromptAsOneSecret) {
  StartedHolder client(ActorSpec({"cooked", "noecho"}), "ready");
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take());
  for (char c : std::string("hunter2\n")) person.Type(std::string(1, c));
  EXPECT_TRUE(client.AwaitText("line 8"));
  person.Send(wire::Give{});
  auto given = AwaitServerLease(&client, 0);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->secrets, 1u);
  EXPECT_EQ(given->writes, 0u);
  EXPECT_EQ(given->bytes, 0u);
}

TEST(Lease, RefusesASecretWhereItWouldShow) {
  StartedHolder client(ActorSpec({"cooked"}), "ready");
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take(0, wire::kTakeOnce));
  person.Type("hunter2\n", wire::kWriteSecret);
  auto refused = Expect<wire::Refused>(&person);
  EXPECT_EQ(refused.why, wire::WriteRefusal::kNotSecret);
  EXPECT_EQ(client.Log().find("hunter2"), std::string::npos);
}

TEST(Lease, EndsWhenItsObserverGoesAway) {
  StartedHolder client(ActorSpec({"echo"}));
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take());
  ASSERT_TRUE(AwaitServerLease(&client, wire::kLeaseHeld));
  person.Disconnect();
  auto given = AwaitServerLease(&client, 0);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->how, wire::LeaseEnd::kGone);
}

// Its process is stopped (SIGSTOP).
TEST(Lease, EndsWhenItsObserverFallsSilent) {
  StartedHolder client(ActorSpec({"echo"}));
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take());
  person.FallSilent();
  auto given = AwaitServerLease(&client, 0);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->how, wire::LeaseEnd::kGone);
  // It is still there and may take the keyboard again.
  EXPECT_TRUE(person.Take());
}

TEST(Lease, EndsWhenNothingIsTyped) {
  StartedHolder client(ActorSpec({"echo"}));
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take(400));
  // Neither the size nor the pointer is a key.
  person.Send(wire::Resize{20, 60});
  person.Type("\x1b[<35;1;1M", wire::kWriteMouse);
  auto idle = person.AwaitLease(0);
  ASSERT_TRUE(idle);
  EXPECT_EQ(idle->how, wire::LeaseEnd::kIdle);
  EXPECT_EQ(idle->writes, 0u);
}

TEST(Lease, EndsWithTheProgram) {
  StartedHolder client(ShellSpec("read x; exit 4"));
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take());
  person.Type("\n");
  auto ended = AwaitServerLease(&client, 0);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->how, wire::LeaseEnd::kProgram);
}

TEST(Lease, StopsTheGrace) {
  wire::LaunchSpec spec = ActorSpec({"echo"});
  spec.grace_ms = 400;
  StartedHolder client(spec);
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take());
  client.Disconnect();
  // The person is told, because they now answer the program's questions.
  for (;;) {
    auto lease = person.AwaitLease(wire::kLeaseHeld | wire::kLeaseYours);
    ASSERT_TRUE(lease);
    if (!lease->server_attached) break;
  }
  person.Type("reply", wire::kWriteReply);
  EXPECT_FALSE(person.AwaitClose(milliseconds(800)));
  EXPECT_NE(client.Log().find("reply"), std::string::npos);
  person.Send(wire::Give{});
  EXPECT_TRUE(client.AwaitDeath());
}

TEST(Lease, IsToldToAServerThatComesLater) {
  wire::LaunchSpec spec = ActorSpec({"echo"});
  StartedHolder client(spec);
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take());
  client.Disconnect();
  std::string before = client.Log();
  ASSERT_TRUE(person.AwaitLease(wire::kLeaseHeld | wire::kLeaseYours));
  ASSERT_TRUE(client.Reconnect());
  ASSERT_TRUE(client.Greet());
  EXPECT_EQ(client.info().lease_serial, 1u);
  EXPECT_TRUE(AwaitServerLease(&client, wire::kLeaseHeld));
  // Exactly one side answers what the program asks.
  person.Type("reply", wire::kWriteReply);
  person.Type("typed");
  ASSERT_TRUE(client.AwaitText("typed"));
  EXPECT_EQ(client.Log().find("reply"), std::string::npos);
}

TEST(Lease, LetsTheServerEndTheSession) {
  StartedHolder client(ActorSpec({"echo"}));
  GreetedObserver person(&client);
  ASSERT_TRUE(person.Take());
  client.Send(wire::Kill{});
  EXPECT_TRUE(client.AwaitDeath());
}

TEST(Ask, IsToldToThoseWhoLookOnAndToThoseWhoCome) {
  StartedHolder client(ActorSpec({"echo"}));
  GreetedObserver first(&client);
  client.Send(wire::Ask{"type the passphrase"});
  auto asked = Expect<wire::Asked>(&first);
  EXPECT_EQ(asked.text, "type the passphrase");
  GreetedObserver second(&client);
  asked = Expect<wire::Asked>(&second);
  EXPECT_EQ(asked.text, "type the passphrase");
  client.Send(wire::Ask{});
  asked = Expect<wire::Asked>(&first);
  EXPECT_EQ(asked.text, "");
}

// Nobody would withdraw it any more.
TEST(Ask, EndsWithItsServer) {
  StartedHolder client(ActorSpec({"echo"}));
  GreetedObserver person(&client);
  client.Send(wire::Ask{"type the passphrase"});
  EXPECT_EQ(Expect<wire::Asked>(&person).text, "type the passphrase");
  client.Disconnect();
  EXPECT_EQ(Expect<wire::Asked>(&person).text, "");
}

// ---- Its parts ----

TEST(LeaseRules, CountTheTimeInWhichTheMachineSleeps) {
  Lease lease;
  Time now{seconds(100)}, wall{seconds(5000)};
  lease.Take({.observer = 1, .idle = seconds(60)}, now, wall);
  EXPECT_EQ(lease.IsOver(now, wall + seconds(59)), wire::LeaseEnd::kNone);
  EXPECT_EQ(lease.IsOver(now, wall + seconds(60)), wire::LeaseEnd::kIdle);
  lease.Typed(1, /*ends=*/false, wall + seconds(59));
  EXPECT_EQ(lease.IsOver(now, wall + seconds(60)), wire::LeaseEnd::kNone);
  EXPECT_EQ(lease.IsOver(now + milliseconds(3 * wire::kLeaseBeatMs), wall),
            wire::LeaseEnd::kGone);
  lease.End(wire::LeaseEnd::kIdle);
  EXPECT_EQ(lease.next(now, wall), Time::max());
}

struct KeyCase {
  const char* typed;
  const char* rest;
  size_t unfinished;
  bool in_paste;
};

TEST(KeyStream, FinishesWhatIsHalfTyped) {
  const KeyCase kCases[] = {
      {"abc", "def", 0, false},
      {"abc\x1b", "[Adef", 2, false},
      {"abc\x1b[1;", "5Adef", 2, false},
      {"\x1bO", "Pdef", 1, false},
      {"\xc3", "\xa4z", 1, false},
      {"\xe2\x82", "\xacz", 1, false},
      {"\xf0\x9f", "\x98\x80z", 2, false},
      {"\x1b", "x", 1, false},
      {"\x1b[200~text", "more", 0, true},
      {"\x1b[200~text\x1b[201~", "more", 0, false},
      {"\x1b[200~text\x1b[20", "1~more", 2, true},
      {"\x1b[15~", "a", 0, false},
  };
  for (const KeyCase& c : kCases) {
    KeyStream stream;
    stream.Feed(c.typed);
    EXPECT_EQ(stream.Unfinished(c.rest), c.unfinished) << c.typed;
    EXPECT_EQ(stream.in_paste(), c.in_paste) << c.typed;
  }
}

}  // namespace
}  // namespace glasstty::holder

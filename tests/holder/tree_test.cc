// Tests ten ways for processes to get away, and what a close reports about
// them.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "holder/holder_client.h"
#include "testing/rounds.h"

namespace glasstty::holder {
namespace {

// MARK is replaced by a number that is found in the processes' command lines.
// `left` counts the processes that survive a close which does not force them.
struct TreeCase {
  const char* name;
  const char* script;
  int members;  // the number of processes with that mark, once all are there
  int left;
};

void PrintTo(const TreeCase& tree, std::ostream* out) { *out << tree.name; }

constexpr TreeCase kTrees[] = {
    {"plain", "exec sleep MARK", 1, 0},
    {"background", "sleep MARK & sleep MARK & wait", 2, 0},
    {"groups", "set -m; sleep MARK & sleep MARK & wait", 2, 2},
    {"nohup", "nohup sleep MARK >/dev/null 2>&1 & exec sleep MARK", 2, 0},
    {"setsid", "setsid sleep MARK & exec sleep MARK", 2, 1},
    {"daemon", "(setsid sh -c 'sleep MARK & exit' &) ; exec sleep MARK", 2, 1},
    {"daemon without environment",
     "(env -i setsid sh -c '(trap \"\" HUP TERM INT; exec sleep MARK)"
     " >/dev/null 2>&1 </dev/null & exit' &) ; exec sleep MARK",
     2, 1},
    {"stubborn", "trap '' HUP TERM INT; while :; do sleep MARK; done", 1, 0},
    {"sixty daemons",
     "i=0; while [ $i -lt 60 ]; do setsid sh -c 'setsid sleep MARK & exit' &"
     " i=$((i+1)); done; exec sleep MARK",
     61, 60},
};

// Returns a number that is unique for this run of the test program, and long
// enough to sleep.
std::string NextMark() {
  static int count = 0;
  return std::to_string(getpid() % 100'000 + 100'000) + "." +
         std::to_string(1000 + ++count);
}

std::string Script(const TreeCase& tree, const std::string& mark) {
  std::string script = tree.script;
  for (size_t at; (at = script.find("MARK")) != std::string::npos;) {
    script.replace(at, 4, mark);
  }
  return script;
}

std::vector<pid_t> Sleepers(const std::string& mark) {
  std::vector<pid_t> found;
  for (pid_t pid : FindProcesses("sleep " + mark)) {
    std::string line;
    // Skip the shells that have it in their script.
    if (ReadFileAt(-100, "/proc/" + std::to_string(pid) + "/cmdline", 6,
                   &line) &&
        line.substr(0, 5) == "sleep") {
      found.push_back(pid);
    }
  }
  return found;
}

bool AwaitMembers(const std::string& mark, int count) {
  return Eventually(
      [&] { return static_cast<int>(Sleepers(mark).size()) == count; });
}

class Tree : public ::testing::TestWithParam<TreeCase> {};

TEST_P(Tree, IsEmptyAfterAKill) {
  for (int run = 0; run < Rounds(1, 3); ++run) {
    std::string mark = NextMark();
    StartedHolder client(ShellSpec(Script(GetParam(), mark)));
    ASSERT_TRUE(AwaitMembers(mark, GetParam().members));
    client.Send(wire::Kill{});
    EXPECT_TRUE(client.AwaitRows(0).empty());
    ASSERT_TRUE(client.Await<wire::Empty>());
    EXPECT_TRUE(Sleepers(mark).empty());
    EXPECT_TRUE(client.AwaitDeath());
  }
}

TEST_P(Tree, IsEmptyAfterAForcedClose) {
  std::string mark = NextMark();
  StartedHolder client(ShellSpec(Script(GetParam(), mark)));
  ASSERT_TRUE(AwaitMembers(mark, GetParam().members));
  client.Send(wire::Close{200, wire::kCloseKillSurvivors});
  EXPECT_TRUE(client.AwaitRows(0).empty());
  ASSERT_TRUE(client.Await<wire::Empty>());
  EXPECT_TRUE(Sleepers(mark).empty());
}

TEST_P(Tree, IsToldExactlyAfterACloseThatSparesSurvivors) {
  std::string mark = NextMark();
  StartedHolder client(ShellSpec(Script(GetParam(), mark)));
  ASSERT_TRUE(AwaitMembers(mark, GetParam().members));
  client.Send(wire::Close{200, 0});
  std::set<pid_t> told;
  for (const Row& row : client.AwaitRows(0)) {
    told.insert(row.row.pid);
    EXPECT_EQ(row.command, "sleep " + mark);
    EXPECT_EQ(row.row.uid, geteuid());
    EXPECT_TRUE(row.row.ports_known);
  }
  std::vector<pid_t> alive = Sleepers(mark);
  EXPECT_EQ(told, std::set<pid_t>(alive.begin(), alive.end()));
  EXPECT_EQ(static_cast<int>(told.size()), GetParam().left);
  if (told.empty()) {
    EXPECT_TRUE(client.Await<wire::Empty>());
  } else {
    EXPECT_FALSE(client.Poll<wire::Empty>());
  }
  for (pid_t pid : told) kill(pid, SIGKILL);
  EXPECT_TRUE(client.AwaitDeath());
}

INSTANTIATE_TEST_SUITE_P(All, Tree, ::testing::ValuesIn(kTrees));

TEST(Chain, IsBrokenByTheKillLoop) {
  for (int run = 0; run < 3; ++run) {
    std::string mark = NextMark();
    StartedHolder client(ActorSpec({"chain", mark, "10000"}), "ready");
    client.Send(wire::Kill{});
    EXPECT_TRUE(client.AwaitRows(0).empty());
    ASSERT_TRUE(client.Await<wire::Empty>());
    EXPECT_TRUE(FindProcesses("chain " + mark).empty());
  }
}

// A hard limit bounds it, which nothing in the session can lift.
TEST(ForkBomb, IsEnded) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a user of its own";
  EXPECT_TRUE(RunAsOrdinaryUser([] {
    rlimit few{200, 200};
    ASSERT_EQ(setrlimit(RLIMIT_NPROC, &few), 0);
    for (const char* start : {"bomb", "bomb & exit"}) {
      StartedHolder client(ShellSpec(
          std::string("trap '' HUP; bomb() { bomb & bomb & wait; };") + start));
      // It has reached its limit.
      ASSERT_TRUE(client.AwaitText("annot fork"));
      client.Send(wire::Kill{});
      EXPECT_TRUE(client.AwaitRows(0).empty());
      EXPECT_TRUE(client.Await<wire::Empty>(std::chrono::seconds(5)));
    }
  }));
}

// Runs `body` as an ordinary user with a set-user-ID copy of the actor.
void WithRootsProgram(const std::function<void(const std::string&)>& body) {
  SessionDir place;
  chmod(place.path().c_str(), 0755);
  std::string copy = place.File("actor");
  std::filesystem::copy_file(ActorFile(), copy);
  if (geteuid() != 0 || chmod(copy.c_str(), 04755) != 0) {
    GTEST_SKIP() << "cannot make a program of root's";
  }
  EXPECT_TRUE(RunAsOrdinaryUser([&] { body(copy); }));
}

TEST(AnotherUser, IsHungUpWhenItCannotBeKilled) {
  WithRootsProgram([](const std::string& program) {
    wire::LaunchSpec spec = ActorSpec({});
    spec.argv = {program, "root", "obeys"};
    StartedHolder client(spec, "ready");
    client.Send(wire::Kill{});
    EXPECT_TRUE(client.AwaitRows(0).empty());
    EXPECT_TRUE(client.Await<wire::Empty>());
  });
}

TEST(AnotherUser, IsReportedWhenItDoesNotGo) {
  WithRootsProgram([](const std::string& program) {
    wire::LaunchSpec spec = ActorSpec({});
    spec.argv = {program, "root", "ignores"};
    StartedHolder client(spec, "ready");
    client.Send(wire::Kill{});
    std::vector<Row> rows = client.AwaitRows(0);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].row.uid, 0u);
    EXPECT_EQ(rows[0].row.pid, client.leader());
    EXPECT_FALSE(rows[0].row.ports_known);
    EXPECT_FALSE(client.Poll<wire::Empty>());
    // Its holder stays and ends together with it.
    EXPECT_FALSE(wire::HolderIsDead(client.dir().fd()));
    EXPECT_TRUE(client.Await<wire::Empty>());
  });
}

TEST(Report, NamesListeningPorts) {
  const char* script =
      "import os, socket, time\n"
      "a = socket.socket(); a.bind(('127.0.0.1', 0)); a.listen()\n"
      "b = socket.socket(socket.AF_INET6); b.bind(('::1', 0)); b.listen()\n"
      "print('P', a.getsockname()[1], b.getsockname()[1], 'Q', flush=True)\n"
      "os.setsid() if os.fork() == 0 else None\n"
      "time.sleep(100)\n";
  wire::LaunchSpec spec = ActorSpec({});
  spec.argv = {"/usr/bin/python3", "-c", script};
  StartedHolder client(spec, "Q\r\n");
  int v4 = 0, v6 = 0;
  ASSERT_EQ(sscanf(client.Log().c_str(), "P %d %d", &v4, &v6), 2);
  client.Send(wire::Tree{9});
  std::vector<Row> rows = client.AwaitRows(9);
  ASSERT_FALSE(rows.empty());
  std::vector<int> ports = rows[0].ports;
  std::sort(ports.begin(), ports.end());
  std::vector<int> expected = {v4, v6};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(ports, expected);
  EXPECT_EQ(rows[0].row.pid, client.leader());
}

TEST(Report, OfListenersLeavesOutTheOthers) {
  const char* script =
      "import os, socket, time\n"
      "if os.fork():\n"
      "  print('up', flush=True); time.sleep(100)\n"
      "a = socket.socket(); a.bind(('127.0.0.1', 0)); a.listen()\n"
      "print('P', a.getsockname()[1], 'Q', flush=True)\n"
      "time.sleep(100)\n";
  wire::LaunchSpec spec = ActorSpec({});
  spec.argv = {"/usr/bin/python3", "-c", script};
  StartedHolder client(spec, "Q\r\n");
  std::string log = client.Log();
  int port = 0;
  ASSERT_EQ(sscanf(log.c_str() + log.find('P'), "P %d", &port), 1);
  client.Send(wire::Tree{9, wire::kTreeListening});
  std::vector<Row> rows = client.AwaitRows(9);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_NE(rows[0].row.pid, client.leader());
  EXPECT_EQ(rows[0].ports, std::vector<int>(1, port));
}

TEST(Report, IsEmptyWhenASurvivorEndsByItself) {
  StartedHolder client(ShellSpec("setsid sleep 0.3 & echo up; exec sleep 100"),
                       "up");
  client.Send(wire::Close{1000, 0});
  client.AwaitRows(0);
  EXPECT_TRUE(client.Await<wire::Empty>());
  EXPECT_TRUE(client.AwaitDeath());
}

TEST(Close, TypesEndOfFileFirstWhenAsked) {
  wire::LaunchSpec spec = ActorSpec({"cooked"});
  StartedHolder client(spec, "ready");
  client.Write(1, "unfinished");
  client.Send(wire::Close{4000, wire::kCloseEof});
  auto exit = Expect<wire::Exit>(&client);
  EXPECT_EQ(exit.status, 5 << 8);
  EXPECT_NE(client.Log().find("line 10\r\neof\r\n"), std::string::npos)
      << client.Log();
}

TEST(Close, EndsAStoppedProgram) {
  StartedHolder client(ShellSpec("echo up; kill -STOP $$; sleep 100"));
  auto stopped = client.AwaitProbe([](const wire::ProbeAnswer& a) {
    return a.waiting == wire::Waiting::kStopped;
  });
  ASSERT_TRUE(stopped);
  client.Send(wire::Close{5000, 0});
  auto exit = client.Await<wire::Exit>(std::chrono::seconds(3));
  ASSERT_TRUE(exit);
  EXPECT_TRUE(exit->status == SIGHUP || exit->status == SIGTERM);
}

TEST(Close, CanBeFollowedByAKill) {
  StartedHolder client(ShellSpec("trap '' HUP TERM; echo up; sleep 100"), "up");
  client.Send(wire::Close{60'000, 0});
  client.Send(wire::Kill{});
  EXPECT_TRUE(client.Await<wire::Empty>(std::chrono::seconds(5)));
}

TEST(Signal, GoesWhereItIsTold) {
  StartedHolder client(
      ShellSpec("trap 'echo usr1' USR1; trap 'echo usr2' USR2;"
                " (trap 'echo child' USR2; trap '' USR1; echo in; "
                "while :; do sleep 0.05; done) & "
                "echo up; while :; do wait; done"),
      "up");
  ASSERT_TRUE(client.AwaitText("in"));
  client.Send(wire::Signal{SIGUSR1, wire::SignalTarget::kLeader});
  EXPECT_TRUE(client.AwaitText("usr1"));
  client.Send(wire::Signal{SIGUSR2, wire::SignalTarget::kForeground});
  EXPECT_TRUE(client.AwaitText("usr2"));
  EXPECT_TRUE(client.AwaitText("child"));
  client.Send(wire::Signal{SIGKILL, wire::SignalTarget::kTree});
  EXPECT_TRUE(client.Await<wire::Empty>());
}

}  // namespace
}  // namespace glasstty::holder

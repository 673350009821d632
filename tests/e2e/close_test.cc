// Tests closing a session: everything that it started is ended, and exactly
// what is left is listed.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

struct Tree {
  std::string name;
  std::string script;  // for bash, in a folder of its own
  size_t processes;    // at least this many, once it says "up"
  bool stays;          // some of it survives a polite close on purpose
};

// These are the ways in which programs keep children, by rising stubbornness.
const Tree kTrees[] = {
    {"Plain", "echo up; exec sleep 1000", 1, false},
    {"Background", "sleep 1000 & sleep 1000 & echo up; wait", 3, false},
    {"OwnGroups", "set -m; sleep 1000 & sleep 1000 & echo up; wait", 3, true},
    {"Nohup", "nohup sleep 1000 >/dev/null 2>&1 & echo up; wait", 2, false},
    {"Setsid", "setsid sleep 1000 & echo up; wait", 2, true},
    {"Daemon",
     "setsid -f sleep 1000 </dev/null >/dev/null 2>&1; echo up; "
     "exec sleep 1000",
     2, true},
    {"EmptyEnvironment",
     "env -i /usr/bin/setsid -f /bin/sh -c 'trap \"\" TERM HUP INT; "
     "while :; do sleep 1000; done' </dev/null >/dev/null 2>&1; echo up; "
     "exec sleep 1000",
     3, true},
    {"Stubborn", "trap '' HUP TERM INT; echo up; while :; do sleep 1000; done",
     2, false},
    {"Sixty",
     "for i in $(seq 60); do setsid -f sleep 1000 </dev/null >/dev/null 2>&1; "
     "done; echo up; sleep 1000",
     61, true},
    // Each generation starts the next and ends, so there is always one more. It
    // lives long enough to be seen by a look through /proc, which takes some 30
    // ms under a sanitizer; the holder's own tests have a quicker one.
    {"Chain",
     "echo 'sleep 0.3; setsid -f sh ./chain </dev/null >/dev/null 2>&1' "
     ">chain; setsid -f sh ./chain </dev/null >/dev/null 2>&1; echo up; "
     "sleep 1000",
     2, true},
};

class Close : public ::testing::TestWithParam<Tree> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(Good(Open(&client_, "tree", {"bash", "-c", GetParam().script},
                          {{"cwd", folder_.path()},
                           {"until", {{"text", "up"}}},
                           {"timeout_s", 20}})));
    ASSERT_TRUE(Eventually(Seconds(10), [&] {
      return Alive().size() >= GetParam().processes;
    })) << Describe(ProcessesWith(folder_.path()));
  }

  // Everything that the session started works in its folder, including daemons.
  std::set<int> Alive() const {
    std::set<int> pids;
    for (const ProcessRow& row : ProcessesWith(folder_.path())) {
      pids.insert(row.pid);
    }
    return pids;
  }

  TempDir folder_;
  McpClient client_;
};

// Parses the lines "  pid 812 listening on 5173: \"node server.js\"" of the
// reply.
std::set<int> ListedSurvivors(const Reply& reply) {
  std::set<int> pids;
  for (const std::string& line : Lines(reply.text)) {
    int pid = 0;
    if (std::sscanf(line.c_str(), "  pid %d", &pid) == 1) pids.insert(pid);
  }
  return pids;
}

std::string Text(const std::set<int>& pids) {
  std::string text;
  for (int pid : pids) text += " " + std::to_string(pid);
  return text;
}

TEST_P(Close, WithForceLeavesNothing) {
  Reply reply =
      client_.Call("term_close", {{"session", "tree"}, {"force", true}});
  ASSERT_TRUE(Good(reply));
  EXPECT_EQ(Text(Alive()), "")
      << Describe(ProcessesWith(folder_.path())) << reply.text;
  EXPECT_EQ(Text(ListedSurvivors(reply)), "") << reply.text;
  EXPECT_TRUE(Eventually(
      Seconds(1), [&] { return LiveHolders(client_.state_dir()).empty(); }));
}

TEST_P(Close, ListsWhatSurvivesAndCanEndIt) {
  Reply reply =
      client_.Call("term_close", {{"session", "tree"}, {"grace_s", 1}});
  ASSERT_TRUE(Good(reply));
  std::set<int> alive = Alive(), listed = ListedSurvivors(reply);
  if (GetParam().name == "Chain") {
    // The process that was listed has started its successor by now.
    EXPECT_EQ(alive.empty(), listed.empty()) << reply.text;
  } else {
    EXPECT_EQ(Text(alive), Text(listed))
        << Describe(ProcessesWith(folder_.path())) << reply.text;
  }
  if (!GetParam().stays) {
    EXPECT_EQ(Text(alive), "");
    return;
  }
  EXPECT_NE(Text(alive), "") << reply.text;

  reply =
      client_.Call("term_close", {{"session", "tree"}, {"survivors", "kill"}});
  ASSERT_TRUE(Good(reply));
  EXPECT_EQ(Text(Alive()), "")
      << Describe(ProcessesWith(folder_.path())) << reply.text;
}

INSTANTIATE_TEST_SUITE_P(All, Close, ::testing::ValuesIn(kTrees),
                         [](const auto& row) { return row.param.name; });

// Whoever closes a server wants to know what went with it.
TEST(CloseReply, NamesWhatEndedWithTheProgram) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "alone", {"cat"})));
  Reply alone = client.Call("term_close", {{"session", "alone"}});
  EXPECT_TRUE(alone.text.ends_with("none of its processes is left"))
      << alone.text;
  // A process that has not become sleep(1) yet has the shell's name.
  ASSERT_TRUE(Good(client.Call(
      "term_run", {{"command",
                    "sleep 7777 & sleep 8888 & until pgrep -xf 'sleep 7777' && "
                    "pgrep -xf 'sleep 8888'; do :; done"}})));
  Reply shell =
      client.Call("term_close", {{"session", "main"}, {"force", true}});
  EXPECT_TRUE(Shows(shell, "none of its processes is left (ended with it: "));
  EXPECT_TRUE(Shows(shell, "\"sleep 7777\""));
  EXPECT_TRUE(Shows(shell, "\"sleep 8888\""));
}

TEST(CloseAll, EndsEverySessionAndSaysSo) {
  McpClient client;
  Open(&client, "one", {"bash", "--norc"});
  Open(&client, "two", {"sleep", "1000"});
  Reply reply = client.Call("term_close", {{"all", true}});
  ASSERT_TRUE(Good(reply));
  EXPECT_TRUE(Shows(reply, "[one]"));
  EXPECT_TRUE(Shows(reply, "[two]"));
  EXPECT_TRUE(Eventually(
      Seconds(1), [&] { return LiveHolders(client.state_dir()).empty(); }));
}

TEST(CloseSignal, OnlySignals) {
  McpClient client;
  Open(&client, "it",
       {"bash", "-c",
        "trap 'echo got it' USR1; echo up; while :; do sleep 0.01; done"},
       {{"until", {{"text", "up"}}}});
  ASSERT_TRUE(
      Good(client.Call("term_close", {{"session", "it"}, {"signal", "USR1"}})));
  EXPECT_TRUE(SeesOnScreen(&client, "it", "got it"));
}

TEST(CloseListening, SurvivorsAreListedWithTheirPorts) {
  McpClient client;
  TempDir folder;
  std::string program =
      folder.Write("listen.py",
                   "import os, socket\n"
                   "s = socket.socket()\n"
                   "s.bind(('127.0.0.1', 0))\n"
                   "s.listen()\n"
                   "if os.fork(): input()\n"
                   "os.setsid()\n"
                   "print('port', s.getsockname()[1], flush=True)\n"
                   "while True: s.accept()\n");
  Open(&client, "web", {"/usr/bin/python3", program},
       {{"until", {{"text", "port"}}}});
  std::string first = Screen(&client, "web").at(0);
  ASSERT_EQ(first.rfind("port ", 0), 0u) << first;
  Reply reply = client.Call("term_close", {{"session", "web"}});
  EXPECT_TRUE(Shows(reply, "1 still running"));
  EXPECT_TRUE(Shows(reply, "listening on " + first.substr(5)));
  client.Call("term_close", {{"session", "web"}, {"survivors", "kill"}});
}

// Sessions that end by themselves, and leave a process behind.
class CloseRemains : public ::testing::Test {
 protected:
  static constexpr char kScript[] =
      "trap '' HUP; sleep 1010 </dev/null >/dev/null 2>&1 & exit 3";

  // Ends what is left of the session, and returns whether it is gone.
  ::testing::AssertionResult EndsWith(const std::string& session) {
    Reply closed = client_.Call("term_close",
                                {{"session", session}, {"survivors", "kill"}});
    if (auto told = Shows(closed, "none of its processes is left"); !told) {
      return told;
    }
    for (const ProcessRow& row : ProcessesWith(client_.mark())) {
      if (row.command == "sleep 1010") {
        return ::testing::AssertionFailure() << row.command << " runs";
      }
    }
    return ::testing::AssertionSuccess();
  }

  McpClient client_;
};

TEST_F(CloseRemains, AreToldAndKeepAName) {
  Reply ended = Open(&client_, "job", {"bash", "-c", kScript},
                     {{"until", {{"state", "exited"}}}});
  EXPECT_TRUE(Shows(ended, "exited=3"));
  EXPECT_TRUE(Shows(ended, "1 still running"));
  EXPECT_TRUE(Shows(ended, "sleep 1010"));
  EXPECT_TRUE(Shows(client_.Call("term_list"), "1 still running"));
  Reply again = Open(&client_, "job", {"cat"});
  EXPECT_TRUE(Shows(again, "the 'job' before is 'job-2' now: 1 still running"));
  EXPECT_TRUE(Shows(client_.Call("term_list"), "[job-2] exited=3"));
  EXPECT_NE(SessionDirectory(client_.state_dir(), "job-2"), "");
  EXPECT_TRUE(Shows(client_.Call("term_close", {{"session", "job"}}),
                    "none of its processes is left"));
  EXPECT_TRUE(EndsWith("job-2"));
}

TEST_F(CloseRemains, OfAShellAreToldByTheCommandThatOpensTheNext) {
  Reply ended = client_.Call("term_run", {{"command", kScript}});
  EXPECT_TRUE(Shows(ended, "exited=3"));
  EXPECT_TRUE(Shows(ended, "1 still running"));
  Reply next = client_.Call("term_run", {{"command", "echo new"}});
  EXPECT_TRUE(Shows(next, "'main-2' now: 1 still running"));
  EXPECT_TRUE(Shows(next, "\nnew"));
  EXPECT_TRUE(EndsWith("main-2"));
}

}  // namespace
}  // namespace glasstty::testing

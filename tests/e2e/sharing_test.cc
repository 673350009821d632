// Tests one server with several clients: over relays, and from a shell.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

// The full name of "it", which the first of our clients has opened, for others.
constexpr char kIts[] = "glasstty-tests/it";

class Sharing : public ::testing::Test {
 protected:
  ~Sharing() override {
    clients_.clear();
    if (server_) server_->Signal(SIGTERM);
    server_.reset();
    // End the server that a relay or a call has started.
    if (pid_t pid = wire::ServerOwner(state_.path()).pid; pid > 0)
      kill(pid, SIGKILL);
  }

  void Serve(std::vector<std::string> arguments = {"serve"}) {
    ServerOptions options;
    options.arguments = std::move(arguments);
    options.state_dir = state_.path();
    options.handshake = false;
    server_ = std::make_unique<McpClient>(options);
    ASSERT_TRUE(Eventually(Seconds(20), [this] {
      return wire::ConnectServer(state_.path()).valid();
    })) << server_->stderr_text();
  }
  McpClient* Join(std::vector<std::string> arguments = {"mcp"}) {
    ServerOptions options;
    options.arguments = std::move(arguments);
    options.state_dir = state_.path();
    return clients_.emplace_back(std::make_unique<McpClient>(options)).get();
  }
  // Runs `glasstty ARGUMENTS...` as a shell would.
  CommandResult Shell(std::vector<std::string> arguments,
                      const std::string& name = "shell") {
    arguments.insert(arguments.begin(), ServerPath());
    return RunCommand(arguments, {"GLASSTTY_STATE_DIR=" + state_.path(),
                                  "GLASSTTY_CLIENT=" + name});
  }
  void KillServer() {
    pid_t pid = wire::ServerOwner(state_.path()).pid;
    ASSERT_GT(pid, 0);
    kill(pid, SIGKILL);
    if (server_) server_->WaitForExit(Seconds(10));
  }
  static void Leave(std::unique_ptr<McpClient>* client) { client->reset(); }

  // Returns the bytes that it has read by read(2), as proc(5) counts them.
  static uint64_t BytesRead(pid_t pid) {
    uint64_t bytes = 0;
    std::string io = ReadWholeFile(absl::StrFormat("/proc/%d/io", pid));
    std::sscanf(io.c_str(), "rchar: %" SCNu64, &bytes);
    return bytes;
  }
  // Returns true while a connection waits for the server to accept it: in
  // /proc/net/unix it has the path of the socket and is connecting (02).
  bool IsAwaited() const {
    std::istringstream rows(ReadWholeFile("/proc/net/unix"));
    for (std::string row; std::getline(rows, row);) {
      bool is_ours = row.ends_with(wire::kServeSocket) &&
                     row.find(" 02 ") != std::string::npos;
      if (is_ours) return true;
    }
    return false;
  }

  TempDir state_;
  std::unique_ptr<McpClient> server_;
  std::vector<std::unique_ptr<McpClient>> clients_;
};

TEST_F(Sharing, ARelayIsThereInsteadOfAServer) {
  Serve();
  McpClient* client = Join();
  EXPECT_EQ(wire::ServerOwner(state_.path()).pid, server_->pid());
  // The first answer comes before the process becomes a relay.
  EXPECT_TRUE(Eventually(Seconds(20), [client] {
    return ReadWholeFile("/proc/" + std::to_string(client->pid()) + "/comm") ==
           "glasstty-relay\n";
  }));
  ASSERT_TRUE(Good(Open(client, "it", {"cat"})));
}

TEST_F(Sharing, TheSocketIsForThisUserAlone) {
  Serve();
  struct stat status;
  std::string directory = state_.Join(wire::kServeDirectory);
  ASSERT_EQ(stat(directory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(stat((directory + "/" + wire::kServeSocket).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(Sharing, ADirectoryThatOthersMayEnterIsNotUsed) {
  Serve();
  chmod(state_.Join(wire::kServeDirectory).c_str(), 0755);
  EXPECT_FALSE(wire::ConnectServer(state_.path()).valid());
  CommandResult result = Shell({"call", "list"});
  EXPECT_EQ(WEXITSTATUS(result.status), 125) << result.output;
  chmod(state_.Join(wire::kServeDirectory).c_str(), 0700);
}

// Somebody who gets past the modes of the files is still asked who he is.
TEST_F(Sharing, AnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "takes root to be somebody else";
  Serve();
  chmod(state_.path().c_str(), 0777);
  chmod(state_.Join(wire::kServeDirectory).c_str(), 0777);
  chmod((state_.Join(wire::kServeDirectory) + "/" + wire::kServeSocket).c_str(),
        0777);
  CommandResult result = RunCommand(
      {"python3", "-c",
       "import os, socket, sys\n"
       "os.setgid(65534); os.setuid(65534)\n"
       "s = socket.socket(socket.AF_UNIX); s.settimeout(20)\n"
       "s.connect(sys.argv[1])\n"
       "try:\n"
       "  s.send(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\\n')\n"
       "  print('got', s.recv(100))\n"
       "except (BrokenPipeError, ConnectionResetError):\n"
       "  print('got', b'')\n",
       state_.Join(wire::kServeDirectory) + "/" + wire::kServeSocket});
  EXPECT_EQ(result.output, "got b''\n");
  // Nobody connects to a socket that may be another user's.
  EXPECT_FALSE(wire::ConnectServer(state_.path()).valid());
}

TEST_F(Sharing, EachClientSeesEveryLineOnce) {
  Serve();
  McpClient* first = Join();
  McpClient* second = Join();
  ASSERT_TRUE(Good(Open(first, "it", {"sh", "-c", "echo ready; cat"},
                        {{"until", {{"text", "ready"}}}})));
  for (int round = 0; round < 3; ++round) {
    std::string line = "line" + std::to_string(round);
    ASSERT_TRUE(Good(first->Call("term_send", {{"session", "it"},
                                               {"input", line + "\n"},
                                               {"until", {{"text", line}}}})));
    for (int look = 0; look < 2; ++look) {
      Reply seen = second->Call("term_read", {{"session", kIts}});
      EXPECT_EQ(seen.body.find(line) != std::string::npos, look == 0)
          << seen.text;
      std::string shown = Shell({"read", "it"}).output;
      EXPECT_EQ(shown.find(line) != std::string::npos, look == 0) << shown;
    }
  }
}

// A client may wait for what another one types.
TEST_F(Sharing, AWaitShowsNoMoreLinesThanAreWanted) {
  Serve();
  McpClient* first = Join();
  McpClient* second = Join();
  ASSERT_TRUE(Good(Open(
      first, "it", {"sh", "-c", "echo ready; while read x; do seq 300; done"},
      {{"until", {{"text", "ready"}}}})));
  auto lines_with = [&](const Json& limits) {
    first->Call("term_send", {{"session", "it"}, {"input", "\n"}});
    Json wait = {{"session", kIts}, {"until", {{"regex", "^300$"}}}};
    wait.update(limits);
    Reply reply = second->Call("term_wait", wait);
    EXPECT_TRUE(Shows(reply, "\n300"));
    return 1 + std::count(reply.body.begin(), reply.body.end(), '\n');
  };
  second->Call("term_read", {{"session", kIts}});
  EXPECT_GE(lines_with(Json::object()), 50);
  EXPECT_LE(lines_with({{"max_lines", 3}}), 4);
  EXPECT_LE(lines_with({{"tail_lines", 5}, {"max_lines", 9}}), 6);
  EXPECT_GE(lines_with({{"tail_lines", 150}}), 150);
}

TEST_F(Sharing, TheListTellsWhoseASessionIsAndWhoWaits) {
  Serve();
  McpClient* first = Join();
  McpClient* second = Join();
  ASSERT_TRUE(Good(Open(first, "it", {"cat"})));
  int id = first->SendCall(
      "term_wait", {{"session", "it"}, {"until", {{"text", "the end"}}}});
  ASSERT_TRUE(Eventually(Seconds(20), [second] {
    std::string list = second->Call("term_list").text;
    return list.find("opened by \"glasstty-tests 1 #") != std::string::npos &&
           list.find("waits: \"glasstty-tests 1 #") != std::string::npos;
  })) << second->Call("term_list").text;
  EXPECT_EQ(first->Call("term_list").text.find("glasstty-tests"),
            std::string::npos);
  ASSERT_TRUE(Good(
      second->Call("term_send", {{"session", kIts}, {"input", "the end\n"}})));
  EXPECT_TRUE(Good(first->Await(id)));
}

TEST_F(Sharing, EachClientHasAMainOfItsOwn) {
  Serve();
  McpClient* first = Join();
  McpClient* second = Join();
  EXPECT_TRUE(first->Call("term_run", {{"command", "x=one"}})
                  .header.starts_with("[main] "));
  Reply reply = second->Call("term_run", {{"command", "echo -$x-"}});
  EXPECT_TRUE(reply.header.starts_with("[main] ")) << reply.header;
  EXPECT_EQ(reply.body, "--");
  // People and the files have names of which there is one.
  EXPECT_TRUE(
      Shows(first->Call("term_list"), "[glasstty-tests-2/main] prompt"));
  EXPECT_NE(Shell({"call", "list"}).output.find("[main-2] "),
            std::string::npos);
  // Any client can name any session on purpose.
  reply = second->Call(
      "term_run", {{"session", "glasstty-tests/main"}, {"command", "echo $x"}});
  EXPECT_TRUE(reply.header.starts_with("[glasstty-tests/main] "))
      << reply.header;
  EXPECT_EQ(reply.body, "one");
}

// A plan that says "server" never reaches another agent's.
TEST_F(Sharing, AnAgentReachesTheSessionOfAnotherOnlyByItsFullName) {
  Serve();
  McpClient* first = Join();
  McpClient* second = Join();
  ASSERT_TRUE(Good(Open(first, "server", {"cat"})));
  const std::string wanted =
      "another client has one, which you can name as 'glasstty-tests/server'";
  Json server = {{"session", "server"}};
  EXPECT_TRUE(Shows(second->Call("term_read", server), wanted));
  EXPECT_TRUE(Shows(second->Call("term_close", server), wanted));
  EXPECT_TRUE(Shows(second->Call("term_wait", {{"session", "server"},
                                               {"until", {{"text", "x"}}}}),
                    wanted));
  EXPECT_TRUE(Shows(Keys(second, "server", "x<Enter>"), "if you mean that"));
  // Nor is it "the only one" of an agent that has none.
  EXPECT_TRUE(Shows(second->Call("term_read"),
                    "you have no session; another client has "
                    "'glasstty-tests/server'"));
  ASSERT_TRUE(Good(Open(second, "server", {"cat"})));
  ASSERT_TRUE(Good(Keys(second, "server", "of the second<Enter>")));
  EXPECT_TRUE(SeesOnScreen(second, "server", "of the second"));
  EXPECT_TRUE(SeesOnScreen(second, "glasstty-tests/server", ""));
  EXPECT_EQ(first->Call("term_read", {{"session", "server"}})
                .text.find("of the second"),
            std::string::npos);
  // A person may use any name of which there is one.
  EXPECT_NE(Shell({"read", "server-2"}).output.find("of the second"),
            std::string::npos);
  // After a death of the server, too.
  KillServer();
  ASSERT_TRUE(Good(Keys(second, "server", "again<Enter>")));
  EXPECT_TRUE(SeesOnScreen(second, "server", "again"));
  Reply closed = second->Call("term_close", {{"all", true}});
  EXPECT_TRUE(Good(closed));
  EXPECT_TRUE(Good(Keys(first, "server", "still there<Enter>")));
}

// For the server, the second one's is 'server-2'.
TEST_F(Sharing, EveryReplyUsesTheNamesOfItsClient) {
  Serve();
  McpClient* first = Join();
  McpClient* second = Join();
  for (McpClient* client : {first, second}) {
    ASSERT_TRUE(Good(Open(client, "server", {"sh", "-c", "echo up; cat"},
                          {{"until", {{"text", "up"}}}})));
  }
  TempDir folder;
  struct Row {
    std::string tool;
    Json more;
  };
  const std::vector<Row> rows = {
      {"term_list", {}},
      {"term_read", {{"mode", "snapshot"}}},
      {"term_send", {{"keys", "x<Enter>"}}},
      {"term_search", {{"regex", "up"}}},
      {"term_wait", {{"until", {{"text", "up"}}}, {"timeout_s", 1}}},
      {"term_wait", {{"watch", {{"no", nullptr}}}, {"timeout_s", 1}}},
      {"term_write_file", {{"output", "all"}, {"path", folder.Join("all")}}},
      {"term_write_file", {{"output", "all"}, {"path", "all"}}},
      {"term_close", {{"signal", "WINCH"}}},
      {"term_close", {{"forget", false}}},
      {"term_send", {{"keys", "x"}}},
      {"term_close", {{"signal", "WINCH"}}},
      {"term_close", {{"restart", true}}},
      {"term_close", {}},
  };
  for (const char* name : {"server", "glasstty-tests/server"}) {
    for (const Row& row : rows) {
      Json arguments = row.more;
      arguments["session"] = name;
      Reply reply = second->Call(row.tool, arguments);
      EXPECT_EQ(reply.text.find("server-2"), std::string::npos) << reply.text;
      EXPECT_EQ(reply.message.dump().find("server-2"), std::string::npos)
          << reply.message;
      if (row.tool != "term_close") continue;
      EXPECT_TRUE(Shows(reply, name));
    }
  }
}

TEST_F(Sharing, WhatAClientOpenedEndsWithItUnlessAnotherTypesIntoIt) {
  Serve({"serve", "--away-s=0"});
  McpClient* first = Join();
  McpClient* second = Join();
  ASSERT_TRUE(Good(Open(first, "own", {"cat"})));
  ASSERT_TRUE(Good(Open(first, "both", {"cat"})));
  ASSERT_TRUE(Good(Open(first, "kept", {"cat"}, {{"keep", true}})));
  ASSERT_TRUE(Good(Keys(second, "glasstty-tests/both", "y<Enter>")));
  // A client that only looks takes none over.
  ASSERT_TRUE(Shows(second->Call("term_list"), "/own]"));
  const std::string own = "glasstty-tests/own";
  Json of_own = {{"session", own}};
  ASSERT_TRUE(Good(second->Call("term_read", of_own)));
  ASSERT_TRUE(
      Good(second->Call("term_search", {{"session", own}, {"regex", "x"}})));
  ASSERT_TRUE(Good(second->Call(
      "term_wait",
      {{"session", own}, {"until", {{"text", "x"}}}, {"timeout_s", 0.1}})));
  Shell({"wait", "own", "--text", "x", "--timeout", "0.1s"});
  first->CloseStdin();
  ASSERT_TRUE(Eventually(Seconds(20), [second] {
    return second->Call("term_list").text.find("own] exited") !=
           std::string::npos;
  })) << second->Call("term_list").text;
  EXPECT_TRUE(Good(Keys(second, "both", "x<Enter>")));
  EXPECT_TRUE(Good(Keys(second, "kept", "x<Enter>")));
  EXPECT_TRUE(Shows(Keys(second, "own", "x"), "client that had opened it"));
}

TEST_F(Sharing, AClientThatIsKilledHarmsNobody) {
  Serve();
  McpClient* first = Join();
  McpClient* second = Join();
  ASSERT_TRUE(Good(Open(second, "it", {"cat"})));
  std::mt19937 random(20);
  for (int round = 0; round < 10; ++round) {
    McpClient* victim = Join();
    for (unsigned n = random() % 5; n > 0; --n) {
      victim->SendCall("term_send", {{"session", kIts},
                                     {"input", "victim\n"},
                                     {"until", {{"text", "never"}}}});
    }
    // It dies in the middle of a line, too.
    victim->SendRaw(R"({"jsonrpc":"2.0","id":99,"meth)");
    victim->Signal(SIGKILL);
    std::string line = "round" + std::to_string(round);
    ASSERT_TRUE(Good(first->Call("term_send", {{"session", kIts},
                                               {"input", line + "\n"},
                                               {"until", {{"text", line}}}})));
    ASSERT_TRUE(Good(second->Call("term_list")));
  }
}

TEST_F(Sharing, TypingCallsOfThreeClientsAreNotTorn) {
  Serve();
  McpClient* clients[] = {Join(), Join()};
  std::string file = state_.Join("typed");
  ASSERT_TRUE(Good(Open(clients[0], "it", {"sh", "-c", "cat >" + file})));
  constexpr int kRounds = 20;
  for (int round = 0; round < kRounds; ++round) {
    int ids[2];
    for (int c = 0; c < 2; ++c) {
      std::string name = std::string(1, 'a' + c) + std::to_string(round);
      ids[c] = clients[c]->SendCall(
          "term_send",
          {{"session", c == 0 ? "it" : kIts},
           {"input", {"<lt>" + name, "-" + name, "-" + name + ">", "<Enter>"}},
           {"timeout_s", 0}});
    }
    if (round % 5 == 0) {
      CommandResult result =
          Shell({"send", "it", "<lt>s", "-s", "-s>", "<Enter>"});
      EXPECT_EQ(result.status, 0) << result.output;
    }
    for (int c = 0; c < 2; ++c) {
      EXPECT_TRUE(Good(clients[c]->Await(ids[c])));
    }
  }
  ASSERT_TRUE(Good(clients[0]->Call(
      "term_send", {{"session", "it"}, {"input", {{{"eof", true}}}}})));
  constexpr size_t kAll = 2 * kRounds + kRounds / 5;
  EXPECT_TRUE(Eventually(Seconds(20), [&file] {
    return Lines(ReadWholeFile(file)).size() == kAll;
  }));
  for (const std::string& line : Lines(ReadWholeFile(file))) {
    std::string name = line.substr(1, line.find('-') - 1);
    std::string whole = "<" + name;
    whole.append("-").append(name).append("-").append(name).append(">");
    EXPECT_EQ(line, whole);
  }
}

TEST_F(Sharing, AKilledServerIsReplacedAndItsSessionsGoOn) {
  Serve();
  McpClient* first = Join();
  McpClient* second = Join();
  ASSERT_TRUE(Good(Open(first, "it", {"cat"})));
  ASSERT_TRUE(Good(Keys(first, "it", "before<Enter>")));
  int id = second->SendCall(
      "term_wait", {{"session", kIts}, {"until", {{"text", "never"}}}});
  // The call has reached the server.
  ASSERT_TRUE(Eventually(Seconds(20), [first] {
    return first->Call("term_list").text.find("waits:") != std::string::npos;
  }));
  pid_t old = wire::ServerOwner(state_.path()).pid;
  KillServer();
  Reply unanswered = second->Await(id);
  EXPECT_EQ(unanswered.message["error"]["code"], -32603)
      << DumpJson(unanswered.message);
  EXPECT_TRUE(Good(Keys(first, "it", "after<Enter>")));
  EXPECT_TRUE(SeesOnScreen(second, kIts, "after"));
  EXPECT_NE(wire::ServerOwner(state_.path()).pid, old);
  EXPECT_TRUE(first->garbage().empty());
  EXPECT_TRUE(second->garbage().empty());
}

// A stopped server accepts connections, and reads nothing from them.
TEST_F(Sharing, WhatADyingServerNeverReadIsForTheNextOne) {
  Serve();
  McpClient* client = Join();
  ASSERT_TRUE(Good(Open(client, "it", {"cat"})));
  pid_t old = wire::ServerOwner(state_.path()).pid;
  kill(old, SIGSTOP);
  uint64_t before = BytesRead(client->pid());
  int id = client->SendCall("term_list", Json::object());
  // The relay has passed the call on.
  ASSERT_TRUE(Eventually(Seconds(20),
                         [&] { return BytesRead(client->pid()) > before; }));
  auto shell = std::async(std::launch::async, [this] {
    return Shell({"call", "list"});
  });
  ASSERT_TRUE(Eventually(Seconds(20), [this] { return IsAwaited(); }));
  kill(old, SIGKILL);
  Reply list = client->Await(id);
  EXPECT_TRUE(Shows(list, "[it]"));
  CommandResult of_shell = shell.get();
  EXPECT_EQ(of_shell.status, 0);
  EXPECT_NE(of_shell.output.find("[it]"), std::string::npos) << of_shell.output;
}

TEST_F(Sharing, AServerThatWasStoppedComesBackWithTheNextCall) {
  Serve();
  McpClient* client = Join();
  ASSERT_TRUE(Good(Open(client, "it", {"cat"})));
  EXPECT_EQ(Shell({"serve", "--stop"}).status, 0);
  EXPECT_TRUE(server_->WaitForExit(Seconds(10)));
  EXPECT_EQ(wire::ServerOwner(state_.path()).pid, 0);
  EXPECT_TRUE(Good(client->Call("term_list")));
  EXPECT_GT(wire::ServerOwner(state_.path()).pid, 0);
}

// It has closed the sessions, so nobody may be told that they continue.
TEST_F(Sharing, ACallDuringAStopIsToldThatTheSessionsWereClosed) {
  Serve();
  McpClient* client = Join();
  ASSERT_TRUE(Good(Open(client, "it", {"cat"})));
  Json never = {{"session", "it"}, {"until", {{"text", "never"}}}};
  int id = client->SendCall("term_wait", never);
  auto shell = std::async(std::launch::async, [this] {
    return Shell({"wait", "it", "--text", "not this either"});
  });
  ASSERT_TRUE(Eventually(Seconds(20), [client] {
    return client->Call("term_list").text.find("waits: \"shell\"") !=
           std::string::npos;
  })) << client->Call("term_list").text;
  EXPECT_EQ(Shell({"serve", "--stop"}).status, 0);
  std::string relayed = DumpJson(client->Await(id).message);
  EXPECT_NE(relayed.find("was stopped during this call"), std::string::npos)
      << relayed;
  CommandResult of_shell = shell.get();
  EXPECT_NE(of_shell.output.find("was stopped during this call"),
            std::string::npos)
      << of_shell.output;
}

// Scripts that clean caches do this.
TEST_F(Sharing, AServerWhoseDirectoryWasDeletedListensAndOpensAgain) {
  Serve();
  McpClient* client = Join();
  ASSERT_TRUE(Good(Open(client, "it", {"cat"})));
  ASSERT_TRUE(Good(Keys(client, "it", "before<Enter>")));
  pid_t server = wire::ServerOwner(state_.path()).pid;
  RemoveAll(state_.path());
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    return wire::ServerOwner(state_.path()).pid == server &&
           wire::ConnectServer(state_.path()).valid();
  }));
  EXPECT_TRUE(Good(Keys(client, "it", "still here<Enter>")));
  EXPECT_TRUE(SeesOnScreen(client, "it", "still here"));
  EXPECT_TRUE(Good(Open(client, "new", {"cat"})));
  EXPECT_TRUE(Shows(Join()->Call("term_list"), "/new]"));
  EXPECT_EQ(Shell({"serve", "--stop"}).status, 0);
  EXPECT_TRUE(server_->WaitForExit(Seconds(10)));
}

// A lock on a file is lost when its process closes the file in another place.
TEST_F(Sharing, AServerWhoseSocketWasDeletedListensAgainAndKeepsItsLock) {
  Serve();
  for (int i = 0; i < 2; ++i) {
    unlink((state_.Join(wire::kServeDirectory) + "/" + wire::kServeSocket)
               .c_str());
    EXPECT_TRUE(Eventually(Seconds(20), [this] {
      return wire::ConnectServer(state_.path()).valid();
    }));
    EXPECT_EQ(wire::ServerOwner(state_.path()).pid, server_->pid());
  }
  EXPECT_EQ(Shell({"serve", "--stop"}).status, 0);
  EXPECT_TRUE(server_->WaitForExit(Seconds(10)));
}

// Returns the servers of the state directory `state`.
std::vector<ProcessRow> ServersOf(const std::string& state) {
  std::vector<ProcessRow> servers = ProcessesWith(state);
  std::erase_if(servers, [](const ProcessRow& process) {
    return process.command.find("glasstty serve") == std::string::npos;
  });
  return servers;
}

// Another server was quicker. It cannot find the sessions of this one, so even
// those that were to stay end.
TEST_F(Sharing, AServerThatWasReplacedServesItsClientsAndEnds) {
  Serve();
  McpClient* client = Join();
  ASSERT_TRUE(Good(Open(client, "it", {"cat"})));
  ASSERT_TRUE(Good(Open(client, "kept", {"cat"}, {{"keep", true}})));
  // Afterwards the server has the log open, which keeps it.
  ASSERT_TRUE(Good(Keys(client, "it", "before<Enter>")));
  ASSERT_TRUE(SeesOnScreen(client, "it", "before"));
  std::string mark = client->mark();
  server_->Signal(SIGSTOP);
  RemoveAll(state_.path());
  EXPECT_EQ(Shell({"call", "list"}).status, 0);
  pid_t second = wire::ServerOwner(state_.path()).pid;
  server_->Signal(SIGCONT);
  ASSERT_NE(second, server_->pid());
  EXPECT_TRUE(Good(Keys(client, "it", "still here<Enter>")));
  EXPECT_TRUE(SeesOnScreen(client, "it", "still here"));
  Leave(&clients_[0]);
  EXPECT_TRUE(server_->WaitForExit(Seconds(10)));
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    return ProcessesWith(mark).empty();
  })) << Describe(ProcessesWith(mark));
  EXPECT_EQ(wire::ServerOwner(state_.path()).pid, second);
}

TEST_F(Sharing, HoweverSoonAClientComesAfterADeletionOneServerIsLeft) {
  Serve();
  for (int i = 0; i < 5; ++i) {
    RemoveAll(state_.path());
    EXPECT_EQ(Shell({"run", "-q", "true"}).status, 0);
  }
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    std::vector<ProcessRow> servers = ServersOf(state_.path());
    return servers.size() == 1 &&
           servers[0].pid == wire::ServerOwner(state_.path()).pid;
  })) << Describe(ServersOf(state_.path()));
}

TEST_F(Sharing, AServerListensAgainOnceItCan) {
  Serve();
  server_->Signal(SIGSTOP);
  RemoveAll(state_.path());
  std::ofstream(state_.path()) << "in its place";
  server_->Signal(SIGCONT);
  ASSERT_TRUE(Eventually(Seconds(20), [&] {
    server_->NextMessage(Seconds(0.05));
    return server_->stderr_text().find("was deleted") != std::string::npos;
  }));
  RemoveAll(state_.path());
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    return wire::ServerOwner(state_.path()).pid == server_->pid() &&
           wire::ConnectServer(state_.path()).valid();
  }));
}

TEST_F(Sharing, ARelayEndsWithItsClient) {
  Serve();
  McpClient* client = Join();
  client->CloseStdin();
  auto status = client->WaitForExit(Seconds(10));
  ASSERT_TRUE(status);
  EXPECT_EQ(*status, 0);
}

TEST_F(Sharing, OneClientTooManyIsToldAndTheOthersGoOn) {
  Serve();
  McpClient* client = Join();
  std::vector<UniqueFd> idle;
  // Connect until the first client is sent away; nobody else gets anything
  // unasked.
  std::string told;
  while (told.empty() && idle.size() < 400) {
    idle.push_back(wire::ConnectServer(state_.path()));
    ASSERT_TRUE(idle.back().valid());
    // A client that is sent away may be gone already.
    WriteAll(idle.back().get(), R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                                "\n");
    char buffer[1000];
    ssize_t n = ReadSome(idle.back().get(), buffer, sizeof buffer);
    ASSERT_GT(n, 0);
    std::string answer(buffer, static_cast<size_t>(n));
    if (answer.find("error") != std::string::npos) told = answer;
  }
  EXPECT_NE(told.find("256 clients are connected"), std::string::npos) << told;
  EXPECT_EQ(idle.size(), 256u) << "and the relay";
  EXPECT_TRUE(Good(client->Call("term_list")));
  idle.resize(10);
  EXPECT_TRUE(Eventually(Seconds(20), [this] {
    return Shell({"call", "list"}).status == 0;
  }));
}

// Silence would look like a server that hangs.
TEST_F(Sharing, WithoutDescriptorsClientsAreToldAndServedLater) {
  Serve();
  McpClient* client = Join();
  ASSERT_TRUE(Good(client->Call("term_list")));
  pid_t server = wire::ServerOwner(state_.path()).pid;
  rlimit before;
  ASSERT_EQ(prlimit(server, RLIMIT_NOFILE, nullptr, &before), 0);
  std::string folder = absl::StrFormat("/proc/%d/fd", server);
  // There is not even one for the client, and then too few for its calls.
  for (bool is_any_left : {false, true}) {
    std::set<rlim_t> open;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      open.insert(std::stoul(entry.path().filename().string()));
    }
    rlim_t unused = 0;
    while (open.contains(unused)) ++unused;
    rlimit few{is_any_left ? open.size() + 2 : unused, before.rlim_max};
    ASSERT_EQ(prlimit(server, RLIMIT_NOFILE, &few, nullptr), 0);
    McpClient* refused = Join();
    Reply reply = refused->Call("term_list", Json::object(), Seconds(15));
    EXPECT_TRUE(Shows(reply, "descriptors left (ulimit -n allows it"));
    EXPECT_TRUE(Good(client->Call("term_list")));
    ASSERT_EQ(prlimit(server, RLIMIT_NOFILE, &before, nullptr), 0);
    // It is the same one, by the same relay.
    EXPECT_TRUE(Eventually(Seconds(20), [refused] {
      return !refused->Call("term_list").is_error;
    }));
  }
}

TEST_F(Sharing, OneClientLeavesOthersRoomForSessions) {
  Serve({"serve", "--max-sessions=5"});
  McpClient* greedy = Join();
  McpClient* other = Join();
  ASSERT_TRUE(Good(Open(other, "other", {"cat"})));
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_TRUE(Good(Open(greedy, name, {"cat"})));
  }
  EXPECT_TRUE(Shows(Open(greedy, "d", {"cat"}),
                    "its share of 5 while others are connected; term_close one "
                    "of: a, b, c"));
  ASSERT_TRUE(Good(Open(other, "d", {"cat"})));
}

// This follows sd_listen_fds(3): descriptor 3, the process id, the count.
TEST_F(Sharing, SystemdHandsTheSocketOver) {
  CommandResult result = RunCommand(
      {"python3", "-c",
       "import os, signal, socket, stat, sys\n"
       "folder, program = sys.argv[1] + '/serve', sys.argv[2]\n"
       "os.mkdir(folder, 0o700)\n"
       "listener = socket.socket(socket.AF_UNIX)\n"
       "listener.bind(folder + '/socket'); listener.listen()\n"
       "child = os.fork()\n"
       "if child == 0:\n"
       "  os.dup2(listener.fileno(), 3)\n"
       "  os.set_inheritable(3, True)\n"
       "  os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1',\n"
       "                    GLASSTTY_STATE_DIR=sys.argv[1])\n"
       "  os.execv(program, [program, 'serve'])\n"
       "client = socket.socket(socket.AF_UNIX); client.settimeout(20)\n"
       "signal.alarm(20)\n"
       "client.connect(folder + '/socket')\n"
       "client.send(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\\n')\n"
       "print(client.recv(1000).decode(), end='')\n"
       "os.kill(child, signal.SIGTERM)\n"
       "print(os.waitpid(child, 0)[1], os.path.exists(folder + '/socket'))\n",
       state_.path(), ServerPath()});
  EXPECT_EQ(result.output,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n0 True\n");
}

TEST_F(Sharing, OnlyOneServerRuns) {
  Serve();
  CommandResult result = Shell({"serve"});
  EXPECT_EQ(WEXITSTATUS(result.status), 1);
  EXPECT_NE(result.output.find("is already running (process " +
                               std::to_string(server_->pid())),
            std::string::npos)
      << result.output;
  EXPECT_EQ(Shell({"serve", "--background"}).status, 0) << "it is there";
}

TEST_F(Sharing, AClientThatAsksForItHasAServerOfItsOwn) {
  Serve();
  McpClient* client = Join({"mcp", "--alone"});
  std::string name =
      ReadWholeFile("/proc/" + std::to_string(client->pid()) + "/comm");
  EXPECT_EQ(name, "glasstty\n");
}

TEST_F(Sharing, AskedForASharedServerIsStarted) {
  McpClient* client = Join({"mcp", "--shared"});
  EXPECT_TRUE(Good(client->Call("term_list")));
  EXPECT_GT(wire::ServerOwner(state_.path()).pid, 0);
  EXPECT_EQ(Shell({"serve", "--stop"}).status, 0);
}

// Sessions inherit from their client and not from the server,
// which somebody else may have started.
TEST_F(Sharing, ASessionInheritsFromItsOpener) {
  Serve();
  std::string script =
      "echo only=$ONLY_HERE server=${ONLY_SERVER:-none}; umask; ulimit -Sn; "
      "pwd; echo home=$HOME";
  auto report = [&](const char* word, const char* mask, const char* files) {
    std::string line =
        absl::StrFormat("umask %s; ulimit -Sn %s; cd /usr; exec %s mcp", mask,
                        files, ServerPath());
    ServerOptions options;
    options.binary = "/bin/sh";
    options.arguments = {"-c", line};
    options.state_dir = state_.path();
    options.extra_environment = {std::string("ONLY_HERE=") + word,
                                 std::string("HOME=/tmp/") + word};
    McpClient client(options);
    return client.Call("term_run", {{"argv", {"sh", "-c", script}}}).body;
  };
  EXPECT_EQ(report("one", "027", "300"),
            "only=one server=none\n0027\n300\n/usr\nhome=/tmp/one");
  EXPECT_EQ(report("two", "077", "400"),
            "only=two server=none\n0077\n400\n/usr\nhome=/tmp/two");
}

TEST_F(Sharing, ASecretIsAVariableOfTheClientThatNamesIt) {
  Serve();
  auto client_with = [this](const std::string& secret) {
    ServerOptions options;
    options.arguments = {"mcp"};
    options.state_dir = state_.path();
    options.extra_environment = {"MY_SECRET=" + secret};
    return clients_.emplace_back(std::make_unique<McpClient>(options)).get();
  };
  McpClient* one = client_with("first");
  McpClient* two = client_with("second");
  ASSERT_TRUE(Good(Open(one, "it", {"cat"})));
  Json secret = {{{"secret_env", "MY_SECRET"}, {"force", true}}, "<Enter>"};
  auto send = [&secret](McpClient* client, const char* session) {
    return client->Call("term_send", {{"session", session}, {"input", secret}});
  };
  ASSERT_TRUE(Good(send(one, "it")));
  ASSERT_TRUE(Good(send(two, kIts)));
  EXPECT_TRUE(SeesOnScreen(one, "it", "first"));
  EXPECT_TRUE(SeesOnScreen(one, "it", "second"));
  EXPECT_TRUE(Shows(send(Join(), kIts),
                    "has started glasstty without a variable 'MY_SECRET'"));
}

// ---- from a shell

TEST_F(Sharing, AShellsSessionsHaveTheShellsVariables) {
  Serve();
  CommandResult result = RunCommand(
      {ServerPath(), "run", "--fresh", "echo $ONLY_HERE"},
      {"GLASSTTY_STATE_DIR=" + state_.path(), "ONLY_HERE=of the shell"});
  EXPECT_NE(result.output.find("\nof the shell\n"), std::string::npos)
      << result.output;
}

// As many variables as the kernel passes to a program, and as long ones.
TEST_F(Sharing, ALargeEnvironmentIsHandedOver) {
  Serve();
  std::vector<std::string> variables = {"GLASSTTY_STATE_DIR=" + state_.path()};
  for (int i = 0; i < 6; ++i) {
    variables.push_back(
        absl::StrFormat("LONG_%d=%s", i, std::string(100'000, 'a' + i)));
  }
  CommandResult result =
      RunCommand({ServerPath(), "run", "--fresh", "echo ${#LONG_0} ${#LONG_5}"},
                 variables);
  EXPECT_NE(result.output.find("\n100000 100000\n"), std::string::npos)
      << result.output;
}

TEST_F(Sharing, AShellRunsCommandsWithTheirExitStatus) {
  CommandResult result = Shell({"run", "echo hi; (exit 7)"});
  EXPECT_EQ(WEXITSTATUS(result.status), 7);
  EXPECT_NE(result.output.find("\nhi\n"), std::string::npos) << result.output;
  // The session is the same the next time.
  EXPECT_EQ(Shell({"run", "A=5"}).status, 0);
  EXPECT_NE(Shell({"run", "echo $A$A"}).output.find("\n55\n"),
            std::string::npos);
}

TEST_F(Sharing, AShellWorksWhereItIs) {
  CommandResult result =
      RunCommand({"env", "-C", "/usr", ServerPath(), "run", "--fresh", "pwd"},
                 {"GLASSTTY_STATE_DIR=" + state_.path()});
  EXPECT_NE(result.output.find("\n/usr\n"), std::string::npos) << result.output;
}

TEST_F(Sharing, AShellDrivesAProgram) {
  CommandResult opened = Shell({"open", "--name", "it", "cat"});
  EXPECT_EQ(opened.status, 0) << opened.output;
  EXPECT_EQ(Shell({"send", "it", "one two", "<Enter>"}).status, 0);
  EXPECT_EQ(Shell({"wait", "it", "--state", "input"}).status, 0);
  CommandResult late =
      Shell({"wait", "it", "--text", "never", "--timeout_s", "0.1"});
  EXPECT_EQ(WEXITSTATUS(late.status), 124) << late.output;
  EXPECT_NE(Shell({"search", "o.e"}).output.find("one two"), std::string::npos);
  EXPECT_NE(Shell({"call", "list"}).output.find("[it] "), std::string::npos);
  EXPECT_EQ(Shell({"close", "it"}).status, 0);
}

TEST_F(Sharing, ACallGivesTheReplyOfTheTool) {
  McpClient* client = Join({"mcp", "--shared"});
  ASSERT_TRUE(Good(Open(client, "it", {"printf", "text"},
                        {{"until", {{"state", "exited"}}}})));
  std::string expected =
      client->Call("term_read", {{"session", "it"}, {"mode", "history"}}).text;
  EXPECT_EQ(
      Shell({"call", "term_read", R"({"session": "it", "mode": "history"})"})
          .output,
      expected);
  // The program has printed no newline.
  EXPECT_EQ(Shell({"read", "it", "--mode=history"}).output, expected);
  auto json =
      ParseJson(Shell({"read", "it", "--mode=history", "--json"}).output);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ((*json)["session"], "it");
  EXPECT_EQ((*json)["text"], expected.substr(expected.find('\n') + 1));
}

TEST_F(Sharing, AMistakeInACallSaysTheWayOut) {
  struct Case {
    std::vector<std::string> arguments;
    int status;
    const char* words;
  };
  const Case cases[] = {
      {{"read", "nobody"}, 126, "no session 'nobody'"},
      {{"read", "--mod", "x"}, 2, "did you mean mode?"},
      {{"call", "term_reed"}, 2, "did you mean read"},
      {{"call"}, 2, "which tool?"},
      {{"call", "term_read", "{"}, 2, "not a JSON object"},
      {{"wait", "--timeout_s", "soon"}, 2, "'soon' is not a time"},
      {{"search"}, 2, "regex"},
  };
  for (const Case& c : cases) {
    CommandResult result = Shell(c.arguments);
    EXPECT_EQ(WEXITSTATUS(result.status), c.status) << result.output;
    EXPECT_NE(result.output.find(c.words), std::string::npos) << result.output;
  }
}

}  // namespace
}  // namespace glasstty::testing

// Plain `glasstty mcp`, without any configuration: one server for all clients
// of a user.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

class SharedByDefault : public ::testing::Test {
 protected:
  ~SharedByDefault() override {
    clients_.clear();
    if (pid_t pid = wire::ServerOwner(state()).pid; pid > 0) kill(pid, SIGKILL);
  }

  std::string state() const { return home_.Join(".local/state/glasstty"); }
  std::vector<std::string> Environment() const {
    std::vector<std::string> environment = DefaultEnvironment(home_.path());
    environment.push_back("GLASSTTY_STATE_DIR=" + state());
    return environment;
  }
  McpClient* Start(std::vector<std::string> flags = {},
                   std::vector<std::string> variables = {}) {
    ServerOptions options;
    options.arguments = {"mcp"};
    options.arguments.insert(options.arguments.end(), flags.begin(),
                             flags.end());
    options.environment = DefaultEnvironment(home_.path());
    options.extra_environment = std::move(variables);
    options.state_dir = state();
    return clients_.emplace_back(std::make_unique<McpClient>(options)).get();
  }
  CommandResult Shell(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ServerPath());
    return RunCommand(arguments, Environment());
  }
  void Configure(const std::string& text) {
    std::filesystem::create_directories(home_.Join(".config/glasstty"));
    home_.Write(".config/glasstty/config", text);
  }
  // The fixture's object stays, because its end would kill the sessions.
  static void Leave(McpClient* client) {
    client->CloseStdin();
    ASSERT_TRUE(client->WaitForExit(Seconds(10)));
  }
  static std::string Program(const McpClient& client) {
    return ReadWholeFile("/proc/" + std::to_string(client.pid()) + "/comm");
  }
  // The first answer comes before the process becomes a relay.
  static bool BecomesRelay(const McpClient& client) {
    return Eventually(Seconds(20), [&client] {
      return Program(client) == "glasstty-relay\n";
    });
  }
  static std::vector<std::string> ToolNames(McpClient* client) {
    std::vector<std::string> names;
    Json answer = client->Request("tools/list");
    for (const Json& tool : answer["result"]["tools"]) {
      names.push_back(tool["name"].get<std::string>());
    }
    return names;
  }

  TempDir home_;
  std::vector<std::unique_ptr<McpClient>> clients_;
};

TEST_F(SharedByDefault, TheFirstClientStartsTheServerAndOthersJoinIt) {
  McpClient* first = Start();
  pid_t server = wire::ServerOwner(state()).pid;
  ASSERT_GT(server, 0);
  McpClient* second = Start();
  EXPECT_EQ(wire::ServerOwner(state()).pid, server);
  EXPECT_TRUE(BecomesRelay(*first));
  EXPECT_TRUE(BecomesRelay(*second));
  ASSERT_TRUE(Good(Open(first, "it", {"cat"})));
  EXPECT_TRUE(Shows(second->Call("term_list"), "it]"));
  EXPECT_NE(Shell({"call", "list"}).output.find("it]"), std::string::npos);
}

// Findings of November 2026, A1: each was refused because of the other.
TEST_F(SharedByDefault, EveryClientRunsItsFirstCommand) {
  McpClient* clients[] = {Start(), Start(), Start()};
  for (int i = 0; i < 3; ++i) {
    std::string word = "word" + std::to_string(i);
    Reply reply = clients[i]->Call("term_run", {{"command", "echo " + word}});
    EXPECT_FALSE(reply.is_error) << reply.text;
    EXPECT_EQ(reply.body, word);
  }
  CommandResult result = Shell({"run", "echo shell"});
  EXPECT_EQ(result.status, 0) << result.output;
}

TEST_F(SharedByDefault, FiveThatStartAtOnceHaveOneServer) {
  std::vector<std::unique_ptr<McpClient>> clients;
  for (int i = 0; i < 5; ++i) {
    ServerOptions options;
    options.arguments = {"mcp"};
    options.environment = DefaultEnvironment(home_.path());
    options.state_dir = state();
    options.handshake = false;
    clients.push_back(std::make_unique<McpClient>(options));
  }
  for (auto& client : clients) {
    EXPECT_FALSE(client->Request("tools/list").is_null());
    EXPECT_TRUE(BecomesRelay(*client)) << client->stderr_text();
  }
  ASSERT_TRUE(Good(Open(clients[0].get(), "it", {"cat"})));
  for (auto& client : clients) {
    EXPECT_TRUE(Shows(client->Call("term_list"), "it]"));
  }
  clients_ = std::move(clients);
}

TEST_F(SharedByDefault, TheServerDoesNotGetTheVariablesOfWhoStartedIt) {
  McpClient* first = Start({}, {"ONLY_FIRST=1", "GLASSTTY_TOOLS=read"});
  McpClient* second = Start({}, {"ONLY_SECOND=2"});
  EXPECT_EQ(ToolNames(first).size(), 4u);
  EXPECT_GT(ToolNames(second).size(), 4u);
  Json argv = {"sh", "-c", "echo ${ONLY_FIRST:-no}${ONLY_SECOND:-no}"};
  EXPECT_EQ(second->Call("term_run", {{"argv", argv}}).body, "no2");
}

TEST_F(SharedByDefault, SomeSettingsAreTheClientsOwn) {
  McpClient* careful = Start({"--gate=strict", "--size=10x50"});
  McpClient* free = Start({"--gate=off", "--secrets=MY_*"}, {"MY_KEY=k"});
  McpClient* usual = Start();
  Json danger = {{"argv", {"rm", "-rf", "/no/such/../.."}}};
  Json unclear = {{"command", "$UNKNOWN_PROGRAM x"}};
  EXPECT_TRUE(careful->Call("term_run", unclear).is_error);
  EXPECT_FALSE(usual->Call("term_run", unclear).is_error);
  Json push = {{"command", "git push --force"}};
  EXPECT_TRUE(Shows(usual->Call("term_run", push), "refused"));
  EXPECT_FALSE(free->Call("term_run", push).is_error);
  Json size = {{"command", "stty size; echo ${MY_KEY:-none}"}};
  EXPECT_EQ(careful->Call("term_run", size).body, "10 50\nnone");
  EXPECT_EQ(free->Call("term_run", size).body, "40 120\nnone");
}

TEST_F(SharedByDefault, AWrongVariableIsAWarningAndTheStrictestValueCounts) {
  McpClient* reader = Start({}, {"GLASSTTY_TOOLS=raed"});
  EXPECT_EQ(ToolNames(reader),
            (std::vector<std::string>{"term_read", "term_search", "term_wait",
                                      "term_list"}));
  EXPECT_NE(reader->stderr_text().find("until it is mended, read counts"),
            std::string::npos)
      << reader->stderr_text();
  Json unclear = {{"command", "$UNKNOWN_PROGRAM x"}};
  for (const char* variable :
       {"GLASSTTY_GATE=stict", "GLASSTTY_GATE_PATTERNS=(a"}) {
    McpClient* careful = Start({}, {variable});
    EXPECT_TRUE(Shows(careful->Call("term_run", unclear), "gate: strict"))
        << variable;
  }
  Json on = {"env", "A=prod"};
  EXPECT_TRUE(Shows(Start({}, {"GLASSTTY_PLACES=env A=prod"})
                        ->Call("term_run", {{"on", on}, {"command", "true"}}),
                    "nothing was started: the setting 'places'"));
  McpClient* discreet =
      Start({}, {"GLASSTTY_SECRETS=TOKEN KEY", "TOKEN=hush1", "KEY=hush2"});
  Json echo = {{"command", "echo [$TOKEN$KEY]"}};
  EXPECT_EQ(discreet->Call("term_run", echo).body, "[]");
  EXPECT_FALSE(Start()->Call("term_run", unclear).is_error);
}

TEST_F(SharedByDefault, TheOthersAreRefusedWithTheWayOut) {
  CommandResult result = Shell({"mcp", "--max-sessions=3"});
  EXPECT_EQ(WEXITSTATUS(result.status), 2);
  EXPECT_NE(result.output.find(
                "--max-sessions is a setting of the server that all your "
                "clients share: write `max-sessions = 3` into "),
            std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("--alone"), std::string::npos);
  EXPECT_EQ(wire::ServerOwner(state()).pid, 0) << "nothing was started";
}

TEST_F(SharedByDefault, TheSettingSharedDecides) {
  Configure("shared = off\n");
  EXPECT_EQ(Program(*Start()), "glasstty\n");
  EXPECT_EQ(Program(*Start({"--alone"}, {"GLASSTTY_SHARED=on"})), "glasstty\n");
  EXPECT_TRUE(BecomesRelay(*Start({"--shared"})));
  EXPECT_TRUE(BecomesRelay(*Start({}, {"GLASSTTY_SHARED=on"})));
}

// As in a sandbox, or with files of another user in the way.
TEST_F(SharedByDefault, WhereTheSocketCannotBeUsedTheClientIsToldWhy) {
  ASSERT_EQ(RunCommand({"mkdir", "-p", state()}).status, 0);
  ASSERT_EQ(mkdir((state() + "/serve").c_str(), 0755), 0);
  ServerOptions options;
  options.arguments = {"mcp"};
  options.environment = DefaultEnvironment(home_.path());
  options.state_dir = state();
  options.handshake = false;
  McpClient client(options);
  Json answer = client.Request(
      "initialize", {{"protocolVersion", "2025-06-18"},
                     {"capabilities", Json::object()},
                     {"clientInfo", {{"name", "it"}, {"version", "1"}}}});
  std::string instructions = answer["result"]["instructions"];
  EXPECT_TRUE(
      instructions.starts_with("The shared glasstty server cannot be used ("))
      << instructions;
  EXPECT_LE(instructions.size(), 2048u);
  EXPECT_EQ(Program(client), "glasstty\n");
  EXPECT_TRUE(Good(client.Call("term_run", {{"command", "echo hi"}})));
}

// ---- clients that come back

TEST_F(SharedByDefault, AClientThatComesBackFindsItsSessions) {
  McpClient* client = Start();
  ASSERT_TRUE(Good(client->Call("term_run", {{"command", "x=42"}})));
  ASSERT_TRUE(Good(Open(client, "it", {"cat"})));
  Leave(client);
  client = Start();
  Reply reply = client->Call("term_run", {{"command", "echo $x"}});
  EXPECT_EQ(reply.body, "42") << reply.text;
  EXPECT_TRUE(Shows(
      reply, "you are back: your sessions are as you left them: main, it"));
  EXPECT_EQ(client->Call("term_list").text.find("you are back"),
            std::string::npos)
      << "said once";
  EXPECT_TRUE(Good(Keys(client, "it", "x<Enter>")));
}

TEST_F(SharedByDefault, AnotherClientDoesNotGetThem) {
  McpClient* client = Start();
  ASSERT_TRUE(Good(client->Call("term_run", {{"command", "x=42"}})));
  Leave(client);
  ServerOptions options;
  options.binary = "/usr/bin/env";
  options.arguments = {"-C", "/usr", ServerPath(), "mcp"};
  options.environment = DefaultEnvironment(home_.path());
  options.state_dir = state();
  McpClient elsewhere(options);
  Reply reply = elsewhere.Call("term_run", {{"command", "echo -$x-"}});
  EXPECT_EQ(reply.body, "--") << reply.text;
  EXPECT_EQ(Start()->Call("term_run", {{"command", "echo $x"}}).body, "42");
}

TEST_F(SharedByDefault, SessionsWaitOnlySoLongForTheirClient) {
  Configure("away-s = 0.5\n");
  McpClient* witness = Start();
  ASSERT_TRUE(Good(witness->Call("term_list")));
  McpClient* client = Start();
  ASSERT_TRUE(Good(Open(client, "it", {"cat"})));
  Leave(client);
  EXPECT_TRUE(Eventually(Seconds(20), [witness] {
    return witness->Call("term_list").text.find("exited") != std::string::npos;
  })) << witness->Call("term_list").text;
}

TEST_F(SharedByDefault, AfterTheServersDeathEachHasItsOwnSessionsAgain) {
  McpClient* first = Start();
  McpClient* second = Start();
  ASSERT_TRUE(Good(first->Call("term_run", {{"command", "x=first"}})));
  ASSERT_TRUE(Good(second->Call("term_run", {{"command", "x=second"}})));
  pid_t server = wire::ServerOwner(state()).pid;
  ASSERT_GT(server, 0);
  kill(server, SIGKILL);
  Reply reply = second->Call("term_run", {{"command", "echo $x"}});
  EXPECT_EQ(reply.body, "second") << reply.text;
  reply = first->Call("term_run", {{"command", "echo $x"}});
  EXPECT_EQ(reply.body, "first") << reply.text;
}

TEST_F(SharedByDefault, ASubscriptionThatWasUndoneIsNotRepeated) {
  McpClient* client = Start();
  for (const char* name : {"one", "two"}) {
    ASSERT_TRUE(Good(Open(client, name, {"cat"})));
    client->Request("resources/subscribe",
                    {{"uri", std::string("term://") + name + "/screen"}});
  }
  client->Request("resources/unsubscribe", {{"uri", "term://one/screen"}});
  kill(wire::ServerOwner(state()).pid, SIGKILL);
  ASSERT_TRUE(Good(client->Call("term_list")));
  client->Call("term_send", {{"session", "one"}, {"input", "x"}});
  client->Call("term_send", {{"session", "two"}, {"input", "x"}});
  std::string uri;
  while (auto message = client->NextMessage(Seconds(20))) {
    if (message->value("method", "") != "notifications/resources/updated") {
      continue;
    }
    uri = (*message)["params"]["uri"].get<std::string>();
    break;
  }
  EXPECT_EQ(uri, "term://two/screen");
}

// ---- upgrades

TEST_F(SharedByDefault, ARestartKeepsSessionsAndClients) {
  McpClient* client = Start();
  ASSERT_TRUE(Good(client->Call("term_run", {{"command", "x=42"}})));
  UniqueFd before = wire::ConnectServer(state());
  CommandResult result = Shell({"serve", "--restart"});
  EXPECT_EQ(result.status, 0) << result.output;
  char byte;
  EXPECT_EQ(ReadSome(before.get(), &byte, 1), 0) << "the old one has gone";
  EXPECT_EQ(client->Call("term_run", {{"command", "echo $x"}}).body, "42");
  EXPECT_TRUE(Good(Start()->Call("term_list")));
}

TEST_F(SharedByDefault, ARestartStartsAServerThatDoesNotRun) {
  EXPECT_EQ(Shell({"serve", "--restart"}).status, 0);
  EXPECT_GT(wire::ServerOwner(state()).pid, 0);
}

// A package manager replaces the file, and the kernel says of the old one that
// it was deleted.
TEST_F(SharedByDefault, AServerReplacesItselfAfterAnUpgrade) {
  std::string program = home_.Join("glasstty");
  auto install = [&] {
    ASSERT_EQ(RunCommand({"cp", ServerPath(), program + ".new"}).status, 0);
    ASSERT_EQ(rename((program + ".new").c_str(), program.c_str()), 0);
  };
  install();
  auto start = [&] {
    ServerOptions options;
    options.binary = program;
    options.arguments = {"mcp"};
    options.environment = DefaultEnvironment(home_.path());
    options.extra_environment = {
        "GLASSTTY_HOLDER=" + BuildPath("src/ptyhost/far/glasstty-holder"),
        "GLASSTTY_RELAY=" + BuildPath("src/gateway/relay/glasstty-relay")};
    options.state_dir = state();
    return clients_.emplace_back(std::make_unique<McpClient>(options)).get();
  };
  auto runs_deleted = [this] {
    pid_t pid = wire::ServerOwner(state()).pid;
    std::error_code error;
    std::string path = std::filesystem::read_symlink(
        "/proc/" + std::to_string(pid) + "/exe", error);
    return pid <= 0 || path.ends_with(" (deleted)");
  };
  McpClient* client = start();
  ASSERT_TRUE(Good(client->Call("term_run", {{"command", "x=42"}})));
  int wait = client->SendCall(
      "term_wait",
      {{"session", "main"}, {"until", {{"text", "never"}}}, {"timeout_s", 4}});
  install();
  EXPECT_TRUE(runs_deleted());
  start();
  // Not while a call runs.
  EXPECT_TRUE(Shows(client->Await(wait), "reason=timeout"));
  EXPECT_TRUE(Eventually(Seconds(20), [&] { return !runs_deleted(); }));
  EXPECT_EQ(client->Call("term_run", {{"command", "echo $x"}}).body, "42");
}

}  // namespace
}  // namespace glasstty::testing

// Tests the server in a sandbox that refuses unix sockets, as that of VS Code
// does ("sandboxEnabled"): its sessions work, and what does not is said.
#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

class Sandbox : public ::testing::Test {
 protected:
  McpClient* Start(const std::vector<std::string>& words) {
    ServerOptions options;
    options.binary = BuildPath("tests/e2e/without_sockets");
    options.arguments = {ServerPath()};
    options.arguments.insert(options.arguments.end(), words.begin(),
                             words.end());
    options.handshake = false;
    client_ = std::make_unique<McpClient>(options);
    Json answer = client_->Request(
        "initialize", {{"protocolVersion", "2025-06-18"},
                       {"capabilities", Json::object()},
                       {"clientInfo", {{"name", "it"}, {"version", "1"}}}});
    instructions_ = answer["result"]["instructions"];
    return client_.get();
  }

  std::unique_ptr<McpClient> client_;
  std::string instructions_;
};

TEST_F(Sandbox, WithoutSocketsSessionsWork) {
  McpClient* client = Start({"mcp", "--alone"});
  EXPECT_EQ(client->Call("term_run", {{"command", "x=4; echo hi"}}).body, "hi");
  EXPECT_EQ(client->Call("term_run", {{"command", "echo $x"}}).body, "4");
  Reply shell = client->Call("term_open", {{"name", "it"}, {"argv", {"cat"}}});
  EXPECT_FALSE(shell.is_error) << shell.text;
  Reply echoed = client->Call(
      "term_send", {{"session", "it"}, {"input", "typed"}, {"enter", true}});
  EXPECT_NE(echoed.body.find("typed"), std::string::npos) << echoed.text;
  EXPECT_FALSE(client->Call("term_close", {{"session", "it"}}).is_error);
}

TEST_F(Sandbox, TheTrueCauseOfAPrivateServerIsSaid) {
  McpClient* client = Start({"mcp"});
  EXPECT_TRUE(instructions_.starts_with(
      "The shared glasstty server cannot be used (unix sockets are refused "
      "here, as in a sandbox)"))
      << instructions_;
  EXPECT_NE(instructions_.find("every session ends with this server"),
            std::string::npos);
  EXPECT_LE(instructions_.size(), 2048u);
  EXPECT_EQ(client->Call("term_run", {{"command", "echo hi"}}).body, "hi");
}

// Nobody could find it, or end it.
TEST_F(Sandbox, AKeptSessionEndsWithItsServerThatDied) {
  McpClient* client = Start({"mcp", "--alone"});
  Reply kept = client->Call(
      "term_open", {{"argv", {"cat"}}, {"name", "it"}, {"keep", true}});
  ASSERT_FALSE(kept.is_error) << kept.text;
  ASSERT_FALSE(ProcessesWith(client->mark()).empty());
  client->Signal(SIGKILL);
  client->WaitForExit(Seconds(20));
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    return ProcessesWith(client->mark()).empty();
  })) << Describe(ProcessesWith(client->mark()));
}

}  // namespace
}  // namespace glasstty::testing

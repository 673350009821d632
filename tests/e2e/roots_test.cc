// Tests where sessions start when the client does not start the server where
// its user works: in one of its roots, or in the project that it names.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

const Json kPwd = {{"argv", {"pwd"}}};

class Roots : public ::testing::Test {
 protected:
  Roots() {
    for (const char* name : {"home", "one", "two", "plugin"}) {
      std::filesystem::create_directory(dir_.Join(name));
    }
  }
  ~Roots() override {
    client_.reset();
    if (pid_t pid = wire::ServerOwner(state_.path()).pid; pid > 0) {
      kill(pid, SIGKILL);
    }
  }

  // Starts the server in a directory, as a client does.
  McpClient* Start(const std::string& directory,
                   std::vector<std::string> variables = {}, bool alone = true) {
    ServerOptions options;
    options.binary = "/bin/sh";
    options.arguments = {
        "-c", "cd " + dir_.Join(directory) + " && exec \"$0\" \"$@\"",
        ServerPath(), "mcp"};
    if (alone) options.arguments.emplace_back("--alone");
    options.extra_environment = std::move(variables);
    options.extra_environment.push_back("HOME=" + dir_.Join("home"));
    options.state_dir = state_.path();
    options.handshake = false;
    client_ = std::make_unique<McpClient>(options);
    return client_.get();
  }
  void Initialize(const Json& capabilities) {
    Json params = {{"protocolVersion", "2025-11-25"}};
    params["capabilities"] = capabilities;
    params["clientInfo"] = {{"name", "editor"}, {"version", "1"}};
    Json server =
        client_->Request("initialize", params)["result"]["serverInfo"];
    // VS Code begins the names of tools with it.
    EXPECT_EQ(server["title"], "glasstty") << DumpJson(server);
    client_->Notify("notifications/initialized", Json::object());
  }
  Json RootsAt(const std::string& name) {
    return {{"roots", {{{"uri", "file://" + dir_.Join(name)}}}}};
  }
  // Answers the next question with `result`, or with an error.
  void Answer(const Json& result) {
    std::optional<Json> question = client_->NextMessage(Seconds(20));
    ASSERT_TRUE(question.has_value()) << "nothing was asked";
    ASSERT_EQ((*question)["method"], "roots/list") << DumpJson(*question);
    Json response = {{"jsonrpc", "2.0"}, {"id", (*question)["id"]}};
    if (result.is_null()) {
      response["error"] = {{"code", -32603}, {"message", "no"}};
    } else {
      response["result"] = result;
    }
    client_->SendRaw(DumpJson(response) + "\n");
  }
  // Returns the name of the directory in which a new session starts.
  std::string StartOf(const Reply& reply) {
    std::string prefix = dir_.path() + "/";
    return reply.body.starts_with(prefix)
               ? reply.body.substr(prefix.size(),
                                   reply.body.find('\n') - prefix.size())
               : reply.text;
  }
  std::string StartAfterAnswer(const Json& result) {
    int id = client_->SendCall("term_run", kPwd);
    Answer(result);
    return StartOf(client_->Await(id));
  }

  TempDir dir_;
  TempDir state_;
  std::unique_ptr<McpClient> client_;
};

const Json kHasRoots = {{"roots", {{"listChanged", true}}}};

TEST_F(Roots, OfTheClientAreWhereItsSessionsStart) {
  for (bool alone : {true, false}) {
    Start("home", {}, alone);
    Initialize(kHasRoots);
    EXPECT_EQ(StartAfterAnswer(RootsAt("one")), "one");
    // It is asked once, until they change.
    EXPECT_EQ(StartOf(client_->Call("term_run", kPwd)), "one");
    client_->Notify("notifications/roots/list_changed", Json::object());
    EXPECT_EQ(StartAfterAnswer(RootsAt("two")), "two");
    Reply relative =
        client_->Call("term_run", {{"argv", {"pwd"}}, {"cwd", "../one"}});
    EXPECT_EQ(StartOf(relative), "one") << relative.text;
  }
}

TEST_F(Roots, AreAskedForAgainWhenAnotherServerTakesOver) {
  Start("home", {}, false);
  Initialize(kHasRoots);
  EXPECT_EQ(StartAfterAnswer(RootsAt("one")), "one");
  kill(wire::ServerOwner(state_.path()).pid, SIGKILL);
  EXPECT_EQ(StartAfterAnswer(RootsAt("one")), "one");
}

TEST_F(Roots, ThatAreNotToldLeaveSessionsWhereTheServerIs) {
  Start("two");
  Initialize(kHasRoots);
  EXPECT_EQ(StartAfterAnswer(Json()), "two");
  EXPECT_EQ(StartOf(client_->Call("term_run", kPwd)), "two");
}

TEST_F(Roots, AreAskedForInTheModernEraBeforeTheFirstSession) {
  Start("home");
  Json meta = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
               {"io.modelcontextprotocol/clientCapabilities", kHasRoots}};
  Json params = {{"name", "term_run"}, {"arguments", kPwd}, {"_meta", meta}};
  Json first = client_->Request("tools/call", params)["result"];
  ASSERT_EQ(first["resultType"], "input_required") << DumpJson(first);
  EXPECT_EQ(first["inputRequests"]["roots"]["method"], "roots/list");
  params["requestState"] = first["requestState"];
  params["inputResponses"]["roots"] = RootsAt("two");
  Json second = client_->Request("tools/call", params)["result"];
  EXPECT_NE(DumpJson(second).find(dir_.Join("two")), std::string::npos)
      << DumpJson(second);
}

TEST_F(Roots, OfAClientWithoutThemAreNotAskedFor) {
  dir_.Write("plugin/plugin.json", R"({"name": "glasstty"})");
  Start("plugin", {"CLAUDE_PROJECT_DIR=" + dir_.Join("one")});
  Initialize(Json::object());
  EXPECT_EQ(StartOf(client_->Call("term_run", kPwd)), "one");
}

TEST_F(Roots, MissingTheDirectoryOfTheClientsProcessIsTaken) {
  dir_.Write("plugin/plugin.json", R"({"name": "glasstty"})");
  ServerOptions options;
  options.binary = "/bin/sh";
  // The client is the outer shell; a launcher stands between.
  options.arguments = {"-c",
                       "cd " + dir_.Join("two") + "; (cd " +
                           dir_.Join("plugin") +
                           "; sh -c '\"$0\" mcp --alone; :' \"$0\"; :); :",
                       ServerPath()};
  client_ = std::make_unique<McpClient>(options);
  EXPECT_EQ(StartOf(client_->Call("term_run", kPwd)), "two");
}

}  // namespace
}  // namespace glasstty::testing

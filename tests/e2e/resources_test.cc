// Tests sessions as resources, prompts and completion, through the real server.
#include <gtest/gtest.h>

#include <csignal>
#include <optional>
#include <string>

#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

const Json kShell = {{"name", "main"},
                     {"argv", {"bash", "--norc", "--noprofile"}},
                     {"env", {{"PS1", "$ "}}},
                     {"rows", 10},
                     {"cols", 40}};

std::string TextAt(McpClient* client, const std::string& uri) {
  Json reply = client->Request("resources/read", {{"uri", uri}});
  if (!reply.contains("result")) return DumpJson(reply);
  return reply["result"]["contents"][0]["text"].get<std::string>();
}

// Returns the next message of that method; null if none comes.
Json NextNotification(McpClient* client, const std::string& method,
                      Seconds limit) {
  while (auto message = client->NextMessage(limit)) {
    if (message->value("method", "") == method) return (*message)["params"];
  }
  return Json();
}

TEST(Resources, OnlyTheIndexIsListedAndItDoesNotGrow) {
  McpClient client;
  Json before = client.Request("resources/list")["result"];
  client.Call("term_open", kShell);
  EXPECT_EQ(client.Request("resources/list")["result"], before);
  ASSERT_EQ(before["resources"].size(), 1u);
  EXPECT_EQ(before["resources"][0]["uri"], "term://sessions");
  Json templates = client.Request("resources/templates/list")["result"];
  std::string uris;
  for (const Json& row : templates["resourceTemplates"]) {
    uris += row["uriTemplate"].get<std::string>() + " ";
  }
  EXPECT_EQ(uris,
            "term://{session}/screen term://{session}/log "
            "term://{session}/history term://{session}/command/{n} ");
}

TEST(Resources, TheIndexTellsTheSessions) {
  McpClient client;
  EXPECT_EQ(TextAt(&client, "term://sessions"),
            "no sessions; term_open starts one");
  client.Call("term_open", kShell);
  std::string index = TextAt(&client, "term://sessions");
  EXPECT_EQ(index.substr(0, 20), "[main] prompt bash /") << index;
}

TEST(Resources, AreTheScreenTheLogTheHistoryAndCommands) {
  McpClient client;
  client.Call("term_run", {{"command", "printf 'a\\033[31mred\\033[m\\n'"}});
  client.Call("term_run", {{"command", "seq 3"}});
  std::string screen = TextAt(&client, "term://main/screen");
  EXPECT_NE(screen.find("[main] prompt"), std::string::npos) << screen;
  EXPECT_NE(screen.find("\nared\n"), std::string::npos) << screen;
  EXPECT_NE(TextAt(&client, "term://main/log").find("a\\e[31mred"),
            std::string::npos);
  std::string history = TextAt(&client, "term://main/history");
  EXPECT_NE(history.find("\nared\n"), std::string::npos) << history;
  for (const char* n : {"2", "-1"}) {
    std::string command =
        TextAt(&client, std::string("term://main/command/") + n);
    EXPECT_EQ(command.substr(command.find('\n')), "\n1\n2\n3") << command;
  }
}

TEST(Resources, LeaveUnreadWhatIsUnread) {
  McpClient client;
  client.Call("term_open", {{"name", "quiet"},
                            {"argv",
                             {"bash", "-c",
                              "trap 'echo second' USR1; echo first; "
                              "while :; do read -r x; done"}}});
  Json list = *ParseJson(client.Call("term_list", {{"format", "json"}}).text);
  kill(list["sessions"][0]["pid"].get<pid_t>(), SIGUSR1);
  // Only resources look at the session meanwhile.
  std::string log;
  for (int i = 0; i < 10'000 && log.find("second") == std::string::npos; ++i) {
    log = TextAt(&client, "term://quiet/log");
  }
  TextAt(&client, "term://quiet/screen");
  TextAt(&client, "term://quiet/history");
  EXPECT_EQ(client.Call("term_read", {{"session", "quiet"}}).body, "second");
}

TEST(Resources, ThatAreNotThereSayWhatIs) {
  McpClient client;
  client.Call("term_open", kShell);
  struct Case {
    const char* uri;
    const char* message;
  };
  const Case cases[] = {
      {"term://none/screen", "no session 'none'"},
      {"term://main/picture", "resource not found"},
      {"term://main/command/7", "no command '7' in session 'main'"},
      {"term://main/command/x", "no command 'x' in session 'main'"},
  };
  for (const Case& c : cases) {
    Json reply = client.Request("resources/read", {{"uri", c.uri}});
    EXPECT_EQ(reply["error"]["code"], -32002) << c.uri;
    EXPECT_EQ(reply["error"]["data"]["uri"], c.uri);
    std::string message = reply["error"]["message"].get<std::string>();
    EXPECT_NE(message.find(c.message), std::string::npos) << message;
  }
}

TEST(Subscriptions, TellOfAScreenThatChangesAndOfTheIndex) {
  McpClient client;
  client.Call("term_open", kShell);
  for (const char* uri : {"term://main/screen", "term://sessions"}) {
    Json reply = client.Request("resources/subscribe", {{"uri", uri}});
    EXPECT_TRUE(reply["result"].empty()) << reply;
  }
  client.Call("term_send", {{"session", "main"}, {"input", "true"}});
  Json told =
      NextNotification(&client, "notifications/resources/updated", Seconds(5));
  EXPECT_EQ(told["uri"], "term://main/screen");
  client.Request("resources/unsubscribe", {{"uri", "term://main/screen"}});
  client.Call("term_open", {{"name", "second"}, {"argv", {"cat"}}});
  for (;;) {
    told = NextNotification(&client, "notifications/resources/updated",
                            Seconds(5));
    if (told.is_null() || told["uri"] == "term://sessions") break;
  }
  EXPECT_EQ(told["uri"], "term://sessions");
}

TEST(Subscriptions, ComeAtMostTwiceASecondFromAFlood) {
  McpClient client;
  // A hundred lines a second are enough to exceed the limit.
  std::vector<std::string> program = {"perl", "-e",
                                      "$| = 1; while (1) { print \"y\\n\"; "
                                      "select(undef, undef, undef, 0.01) }"};
  if (IsLongRun()) program = {"yes"};
  client.Call("term_open", {{"name", "flood"}, {"argv", program}});
  client.Request("resources/subscribe", {{"uri", "term://flood/log"}});
  client.Call(
      "term_wait",
      {{"session", "flood"}, {"until", {{"gone", "y"}}}, {"timeout_s", 2.2}});
  int told = 0;
  while (auto message = client.NextMessage(Seconds(0))) {
    told += message->value("method", "") == "notifications/resources/updated";
  }
  EXPECT_GE(told, 2);
  EXPECT_LE(told, 5);
}

TEST(Subscriptions, OfTheModernEraAreAcknowledgedAndEndUnanswered) {
  McpClient client({.handshake = false});
  client.Call("term_open", kShell);
  Json params = *ParseJson(
      R"({"notifications":{"resourceSubscriptions":["term://main/screen",
          "term://none/screen"]},"_meta":{
          "io.modelcontextprotocol/protocolVersion":"2026-07-28",
          "io.modelcontextprotocol/clientCapabilities":{}}})");
  Json listen = {{"jsonrpc", "2.0"},
                 {"id", "listen:0"},
                 {"method", "subscriptions/listen"}};
  listen["params"] = params;
  client.SendRaw(DumpJson(listen) + "\n");
  Json begun = NextNotification(
      &client, "notifications/subscriptions/acknowledged", Seconds(5));
  EXPECT_EQ(DumpJson(begun["notifications"]),
            R"({"resourceSubscriptions":["term://main/screen"]})");
  client.Call("term_send", {{"session", "main"}, {"input", "true"}});
  Json told =
      NextNotification(&client, "notifications/resources/updated", Seconds(5));
  EXPECT_EQ(told["_meta"]["io.modelcontextprotocol/subscriptionId"],
            "listen:0");
  client.Notify("notifications/cancelled", {{"requestId", "listen:0"}});
  client.Call("term_send", {{"session", "main"}, {"input", "false"}});
  EXPECT_FALSE(client.NextMessage(Seconds(1)).has_value());
}

TEST(Completion, KnowsTheSessionsAndTheirCommands) {
  McpClient client;
  client.Call("term_open", kShell);
  client.Call("term_open", {{"name", "other"}, {"argv", {"cat"}}});
  auto complete = [&client](const char* params) {
    Json reply = client.Request("completion/complete", *ParseJson(params));
    return DumpJson(reply["result"]["completion"]["values"]);
  };
  EXPECT_EQ(complete(R"({"ref":{"type":"ref/resource",
                         "uri":"term://{session}/screen"},
                         "argument":{"name":"session","value":"m"}})"),
            R"(["main"])");
  EXPECT_EQ(complete(R"({"ref":{"type":"ref/prompt","name":"watch_job"},
                         "argument":{"name":"job","value":""}})"),
            R"(["main","other"])");
  client.Call("term_run", {{"command", "true"}});
  EXPECT_EQ(complete(R"({"ref":{"type":"ref/resource",
                         "uri":"term://{session}/command/{n}"},
                         "argument":{"name":"n","value":""},
                         "context":{"arguments":{"session":"main"}}})"),
            R"(["1"])");
}

TEST(Prompts, TellTheModelHow) {
  McpClient client;
  EXPECT_EQ(client.Request("prompts/list")["result"]["prompts"].size(), 2u);
  Json reply = client.Request(
      "prompts/get", {{"name", "drive_tui"},
                      {"arguments", {{"program", "htop"}, {"goal", "Sort."}}}});
  std::string text =
      reply["result"]["messages"][0]["content"]["text"].get<std::string>();
  EXPECT_NE(text.find("`htop`"), std::string::npos) << text;
  EXPECT_NE(text.find("Goal: Sort."), std::string::npos) << text;
  reply = client.Request("prompts/get",
                         {{"name", "watch_job"}, {"arguments", {{"job", ""}}}});
  EXPECT_EQ(reply["error"]["code"], -32602);
  reply = client.Request(
      "prompts/get", {{"name", "watch_job"}, {"arguments", {{"job", "make"}}}});
  text = reply["result"]["messages"][0]["content"]["text"].get<std::string>();
  EXPECT_NE(text.find("terminal: make"), std::string::npos) << text;
}

}  // namespace
}  // namespace glasstty::testing

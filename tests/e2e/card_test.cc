// Tests the card of MCP Apps, as far as that is possible without a browser
// (tests/page).
#include <gtest/gtest.h>

#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

constexpr char kUi[] = "io.modelcontextprotocol/ui";

class Card : public ::testing::Test {
 protected:
  Card() : client_(Options()) {}

  static ServerOptions Options() {
    ServerOptions options;
    options.handshake = false;
    return options;
  }
  void Begin(const Json& capabilities) {
    client_.Request("initialize",
                    {{"protocolVersion", "2025-06-18"},
                     {"capabilities", capabilities},
                     {"clientInfo", {{"name", "apps"}, {"version", "1"}}}});
    client_.Notify("notifications/initialized", Json::object());
  }
  // Returns what tools/list says of a tool under _meta.ui; null: nothing.
  Json UiOf(const std::string& name, const Json& params = Json::object()) {
    Json tools = client_.Request("tools/list", params)["result"]["tools"];
    for (const Json& tool : tools) {
      if (tool["name"] != name) continue;
      return tool.value("/_meta/ui"_json_pointer, Json());
    }
    return "not listed";
  }

  McpClient client_;
};

TEST_F(Card, IsForClientsThatShowIt) {
  Begin({{"extensions",
          {{kUi, {{"mimeTypes", {"text/html;profile=mcp-app"}}}}}}});
  Json ui = UiOf("term_open");
  EXPECT_EQ(ui["resourceUri"], "ui://glasstty/terminal");
  EXPECT_EQ(UiOf("term_card"), (Json{{"visibility", {"app"}}}));
  EXPECT_EQ(UiOf("term_run"), Json());
  Json read = client_.Request("resources/read", {{"uri", ui["resourceUri"]}});
  const Json& page = read["result"]["contents"][0];
  EXPECT_EQ(page["mimeType"], "text/html;profile=mcp-app");
  EXPECT_EQ(page["_meta"]["ui"]["csp"], Json::object());
  // It loads nothing from elsewhere.
  std::string text = page["text"];
  EXPECT_EQ(text.find("http"), std::string::npos);
  EXPECT_EQ(text.find(" src="), std::string::npos);
}

TEST_F(Card, IsUnknownToOtherClients) {
  Begin({{"extensions", {{kUi, {{"mimeTypes", {"text/uri-list"}}}}}}});
  EXPECT_EQ(UiOf("term_open"), Json());
  EXPECT_EQ(UiOf("term_card"), "not listed");
  Json listed = client_.Request("resources/list", Json::object());
  EXPECT_EQ(DumpJson(listed).find("ui://"), std::string::npos);
  // In the modern era each request describes its client.
  Json envelope = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                   {"io.modelcontextprotocol/clientCapabilities",
                    {{"extensions", {{kUi, Json::object()}}}}}};
  EXPECT_EQ(UiOf("term_card", {{"_meta", envelope}}),
            (Json{{"visibility", {"app"}}}));
}

TEST_F(Card, FollowsASession) {
  Begin(Json::object());
  ASSERT_TRUE(Good(Open(&client_, "s", {"cat"})));
  auto look = [this](const Json& arguments) {
    Json call = {{"session", "s"}, {"wait_s", 20}};
    call.update(arguments);
    return client_.Request(
        "tools/call", {{"name", "term_card"}, {"arguments", call}})["result"];
  };
  Json first = look(Json::object())["structuredContent"];
  EXPECT_EQ(first["size"], (Json{24, 80}));
  int later = client_.SendCall(
      "term_card",
      {{"session", "s"}, {"wait_s", 20}, {"since_rev", first["rev"]}});
  ASSERT_TRUE(Good(Keys(&client_, "s", "on and on<Enter>")));
  Reply told = client_.Await(later);
  EXPECT_TRUE(Shows(told, "[s] "));
  Json now = look({{"since_rev", 0}})["structuredContent"];
  EXPECT_EQ(now["rows"]["0"][0][0], "on and on");
  EXPECT_GT(now["rev"], first["rev"]);
  client_.Call("term_close", {{"session", "s"}});
  EXPECT_EQ(look({{"since_rev", -1}})["structuredContent"]["over"], true);
  EXPECT_EQ(look({{"session", "none"}})["isError"], true);
}

TEST_F(Card, HasOneStateInItsTextAndItsData) {
  Begin(Json::object());
  ASSERT_TRUE(Good(Open(&client_, "s", {"cat"})));
  Reply first = client_.Call("term_card", {{"session", "s"}});
  Json shown = first.message["result"]["structuredContent"];
  int later = client_.SendCall(
      "term_card",
      {{"session", "s"}, {"wait_s", 20}, {"since_rev", shown["rev"]}});
  client_.Call("term_close", {{"session", "s"}});
  Reply told = client_.Await(later);
  Json now = told.message["result"]["structuredContent"];
  EXPECT_EQ(told.text, "[s] " + now["state"].get<std::string>());
}

}  // namespace
}  // namespace glasstty::testing

// Adding a server to configurations as people have them: nothing but the entry
// changes.
#include "cli/config_edit.h"

#include <gtest/gtest.h>

#include <string>

#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

const Json kValue = {{"command", "/bin/g"}, {"args", {"mcp"}}};

std::string Set(const std::string& text) {
  auto result = SetJsonMember(text, {"mcpServers", "glasstty"}, kValue);
  return result.ok() ? *result : "error: " + Message(result.status());
}

struct Row {
  const char* name;
  const char* before;
  const char* after;
};

class JsonEdit : public testing::TestWithParam<Row> {};

TEST_P(JsonEdit, AddsTheEntryAndNothingElse) {
  EXPECT_EQ(Set(GetParam().before), GetParam().after);
}

TEST_P(JsonEdit, IsDoneOnce) {
  EXPECT_EQ(Set(GetParam().after), GetParam().after);
}

INSTANTIATE_TEST_SUITE_P(
    Files, JsonEdit,
    testing::Values(
        Row{"Empty", "",
            "{\n  \"mcpServers\": {\n    \"glasstty\": {\n      \"command\": "
            "\"/bin/g\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
        Row{"OneLine", R"({"mcpServers": {"a": {"command": "x"}}})",
            R"({"mcpServers": {"a": {"command": "x"}, "glasstty": )"
            R"({"command":"/bin/g","args":["mcp"]}}})"},
        Row{"TabsAndComments",
            "{\n\t// mine\n\t\"mcpServers\": {\n\t\t\"a\": {} // "
            "last\n\t}\n}\n",
            "{\n\t// mine\n\t\"mcpServers\": {\n\t\t\"a\": {}, // last\n"
            "\t\t\"glasstty\": {\n\t\t\t\"command\": \"/bin/g\",\n"
            "\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}\n"},
        Row{"CommaBehindTheLast",
            "{\n    \"mcpServers\": {\n        \"a\": 1,\n    },\n}",
            "{\n    \"mcpServers\": {\n        \"a\": 1,\n        "
            "\"glasstty\": "
            "{\n            \"command\": \"/bin/g\",\n            \"args\": "
            "[\"mcp\"]\n        },\n    },\n}"},
        Row{"NoServersYet", "{\n  \"theme\": \"a } // b\"\n}\n",
            "{\n  \"theme\": \"a } // b\",\n  \"mcpServers\": {\n    "
            "\"glasstty\": {\n      \"command\": \"/bin/g\",\n      \"args\": "
            "[\"mcp\"]\n    }\n  }\n}\n"},
        Row{"EmptyServers", "{\n  \"mcpServers\": {}\n}\n",
            "{\n  \"mcpServers\": {\n    \"glasstty\": {\n      \"command\": "
            "\"/bin/g\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
        Row{"LineEndsOfWindows",
            "{\r\n  \"mcpServers\": {\r\n    \"a\": 1\r\n  }\r\n}\r\n",
            "{\r\n  \"mcpServers\": {\r\n    \"a\": 1,\r\n    \"glasstty\": "
            "{\r\n      \"command\": \"/bin/g\",\r\n      \"args\": "
            "[\"mcp\"]\r\n    }\r\n  }\r\n}\r\n"},
        Row{"AnotherEntryOfOurs",
            "{\n  \"mcpServers\": {\n    \"glasstty\": 1\n  }\n}\n",
            "{\n  \"mcpServers\": {\n    \"glasstty\": {\n      \"command\": "
            "\"/bin/g\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(JsonEditErrors, NameTheLine) {
  EXPECT_EQ(Set("{\n \"a\": ]\n}"), "error: line 2 is not valid JSON");
  EXPECT_EQ(Set("{} x"), "error: line 1 is not valid JSON");
  EXPECT_EQ(Set("{\"a\": \"open\n}"), "error: line 1 is not valid JSON");
  EXPECT_EQ(Set("{ /* open"), "error: line 1 is not valid JSON");
  EXPECT_EQ(Set("{\"mcpServers\": []}"),
            "error: \"mcpServers\" is not an object");
}

TEST(JsonEditErrors, AnyBeginningOfAFileIsRefusedOrEdited) {
  std::string text =
      "{ // c\n \"mcpServers\": {\"a\": [1, {\"b\": \"\\\"}\"}], /* d */ "
      "\"e\": -1.5e3,},\n}\n";
  for (size_t size = 0; size <= text.size(); ++size) {
    auto result = SetJsonMember(text.substr(0, size), {"mcpServers", "x"}, 1);
    bool whole = size + 1 >= text.size() || size == 0;
    EXPECT_EQ(result.ok(), whole) << text.substr(0, size);
  }
}

TEST(TomlEdit, AddsATableAtTheEnd) {
  auto result = SetTomlKeys("model = \"o\"", "mcp_servers.glasstty", kValue);
  EXPECT_EQ(*result,
            "model = \"o\"\n\n[mcp_servers.glasstty]\ncommand = \"/bin/g\"\n"
            "args = [\"mcp\"]\n");
  EXPECT_EQ(*SetTomlKeys(*result, "mcp_servers.glasstty", kValue), *result);
}

TEST(TomlEdit, SetsOnlyOurKeysInATableThatIsThere) {
  auto result = SetTomlKeys(
      "[mcp_servers.\"glasstty\"] # ours\ncommand = \"old\" # c\nenv = {A=1}\n"
      "args = [\n  \"x\", # y\n]\n\n[other]\ncommand = \"z\"\n",
      "mcp_servers.glasstty", kValue);
  EXPECT_EQ(*result,
            "[mcp_servers.\"glasstty\"] # ours\ncommand = \"/bin/g\" # c\n"
            "env = {A=1}\nargs = [\"mcp\"]\n\n[other]\ncommand = \"z\"\n");
}

TEST(TomlEdit, IsNotMisledByStringsOfSeveralLines) {
  std::string text =
      "a = \"\"\"\n[mcp_servers.glasstty]\ncommand = 1\n\"\"\"\nb = 1\n";
  EXPECT_EQ(*SetTomlKeys(text, "mcp_servers.glasstty", kValue),
            text +
                "\n[mcp_servers.glasstty]\ncommand = \"/bin/g\"\nargs = "
                "[\"mcp\"]\n");
}

TEST(Servers, AnEntryThatIsThereKeepsWhatTheUserHasAdded) {
  const ClientRow* cursor = FindClient("cursor");
  ASSERT_NE(cursor, nullptr);
  auto result = AddServer(
      R"({"mcpServers": {"glasstty": {"command": "old", "env": {"A": "1"}}}})",
      *cursor, "/bin/g");
  EXPECT_EQ(*result, R"({"mcpServers": {"glasstty": {"command": "/bin/g", )"
                     R"("env": {"A": "1"}, "args": ["mcp"]}}})");
}

TEST(Servers, AnEntryForAnAddressBecomesOneForTheProgram) {
  struct File {
    const char* client;
    const char* before;
    const char* after;
  };
  const File files[] = {
      {"cursor",
       R"({"mcpServers": {"glasstty": {"type": "http", "url": "http://x", )"
       R"("headers": {"A": "1"}, "env": {"B": "2"}}}})",
       R"({"mcpServers": {"glasstty": {"env": {"B": "2"}, )"
       R"("command": "/bin/g", "args": ["mcp"]}}})"},
      {"gemini",
       "{\n  \"mcpServers\": {\n    \"glasstty\": {\n"
       "      \"httpUrl\": \"http://x\"\n    }\n  }\n}\n",
       "{\n  \"mcpServers\": {\n    \"glasstty\": {\n"
       "      \"command\": \"/bin/g\",\n      \"args\": [\"mcp\"],\n"
       "      \"timeout\": 600000\n    }\n  }\n}\n"},
      {"codex",
       "[mcp_servers.glasstty]\nurl = \"http://x\"\n"
       "bearer_token_env_var = \"T\"\nenv_http_headers = { A = \"B\" }\n\n"
       "[mcp_servers.glasstty.http_headers]\nC = \"D\"\n\n[tui]\nx = 1\n",
       "[mcp_servers.glasstty]\ncommand = \"/bin/g\"\nargs = [\"mcp\"]\n"
       "tool_timeout_sec = 120\n\n[tui]\nx = 1\n"},
  };
  for (const File& file : files) {
    const ClientRow& client = *FindClient(file.client);
    auto result = AddServer(file.before, client, "/bin/g");
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(*result, file.after);
    EXPECT_EQ(*AddServer(*result, client, "/bin/g"), file.after);
  }
}

TEST(Servers, EveryClientGetsExactlyOneEntry) {
  for (const ClientRow& client : ClientTable()) {
    std::string text = ClientSnippet(client, "/opt/bin/glasstty");
    EXPECT_EQ(*AddServer(text, client, "/opt/bin/glasstty"), text)
        << client.name;
    if (client.format != ClientRow::Format::kJson) continue;
    auto json = ParseJson(text);
    ASSERT_TRUE(json.ok()) << client.name;
    for (const std::string& step : Split(client.servers, '.')) {
      Json inner = (*json)[step];
      *json = std::move(inner);
    }
    EXPECT_EQ(json->size(), 1u) << client.name;
    EXPECT_TRUE(json->contains("glasstty")) << client.name;
  }
}

}  // namespace
}  // namespace glasstty

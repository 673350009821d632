// Tests that removing our server from configurations as people have them takes
// the entry and nothing else.
#include <gtest/gtest.h>

#include <string>

#include "cli/config_edit.h"
#include "support/status.h"

namespace glasstty {
namespace {

std::string Without(const std::string& text, const char* name = "cursor") {
  auto result = RemoveServer(text, *FindClient(name));
  return result.ok() ? *result : "error: " + Message(result.status());
}

struct RemovedRow {
  const char* name;
  const char* client;
  const char* before;
  const char* after;
};

class Removal : public testing::TestWithParam<RemovedRow> {};

TEST_P(Removal, TakesTheEntryAndNothingElse) {
  EXPECT_EQ(Without(GetParam().before, GetParam().client), GetParam().after);
}

TEST_P(Removal, IsDoneOnce) {
  EXPECT_EQ(Without(GetParam().after, GetParam().client), GetParam().after);
}

INSTANTIATE_TEST_SUITE_P(
    Files, Removal,
    testing::Values(
        RemovedRow{"Empty", "cursor", "", ""},
        RemovedRow{"NotThere", "cursor", "{ // c\n \"a\": 1\n}",
                   "{ // c\n \"a\": 1\n}"},
        RemovedRow{
            "Alone", "cursor",
            "{\n  \"mcpServers\": {\n    \"glasstty\": {\"command\": \"g\"}\n"
            "  }\n}\n",
            "{\n  \"mcpServers\": {}\n}\n"},
        RemovedRow{
            "Last", "cursor",
            "{\n\t\"mcpServers\": {\n\t\t\"a\": {}, // mine\n"
            "\t\t\"glasstty\": {\n\t\t\t\"command\": \"g\"\n\t\t}\n\t}\n}\n",
            "{\n\t\"mcpServers\": {\n\t\t\"a\": {} // mine\n\t}\n}\n"},
        RemovedRow{
            "First", "cursor",
            "{\"mcpServers\": {\n  \"glasstty\": {},\n  // b\n  \"b\": 1\n}}",
            "{\"mcpServers\": {\n  // b\n  \"b\": 1\n}}"},
        RemovedRow{
            "CommaBehindTheLast", "cursor",
            "{\n  \"mcpServers\": {\n    \"a\": 1,\n    \"glasstty\": {},\n  "
            "},\n}",
            "{\n  \"mcpServers\": {\n    \"a\": 1,\n  },\n}"},
        RemovedRow{"OneLineFirst", "cursor",
                   R"({"mcpServers": {"glasstty": {"a": ","}, "b": 1}})",
                   R"({"mcpServers": {"b": 1}})"},
        RemovedRow{"OneLineLast", "cursor",
                   R"({"mcpServers": {"b": 1, "glasstty": {"a": ","}}})",
                   R"({"mcpServers": {"b": 1}})"},
        RemovedRow{"OneLineAlone", "cursor",
                   R"({"mcpServers": {"glasstty": {}}})",
                   R"({"mcpServers": {}})"},
        RemovedRow{
            "LineEndsOfWindows", "cursor",
            "{\r\n  \"mcpServers\": {\r\n    \"a\": 1,\r\n    \"glasstty\": "
            "2\r\n  }\r\n}\r\n",
            "{\r\n  \"mcpServers\": {\r\n    \"a\": 1\r\n  }\r\n}\r\n"},
        RemovedRow{
            "NamesWithoutQuotes", "openclaw",
            "{\n  mcp: {\n    servers: {\n      a: 'it\\'s',\n      glasstty: "
            "{command: 'g'},\n    },\n  },\n}\n",
            "{\n  mcp: {\n    servers: {\n      a: 'it\\'s',\n    },\n  "
            "},\n}\n"},
        RemovedRow{"OneLineLastWithACommaOfItsOwn", "openclaw",
                   "{mcp: {servers: {a: 'x', glasstty: {b: ','}, }, }, }",
                   "{mcp: {servers: {a: 'x', }, }, }"},
        RemovedRow{"BehindAByteOrderMark", "cursor",
                   "\xEF\xBB\xBF{\"mcpServers\": {\"glasstty\": {}}}",
                   "\xEF\xBB\xBF{\"mcpServers\": {}}"},
        RemovedRow{
            "TomlAtTheEnd", "codex",
            "model = \"o\"\n\n[mcp_servers.glasstty]\ncommand = \"g\"\nargs = "
            "[\n  \"mcp\",\n]\n",
            "model = \"o\"\n"},
        RemovedRow{
            "TomlWithTablesBelow", "codex",
            "[mcp_servers.a]\ncommand = \"x\"\n\n[mcp_servers.\"glasstty\"]\n"
            "command = \"g\"\n\n[mcp_servers.glasstty.env]\nA = \"1\"\n\n# "
            "mine\n[tui]\nx = 1\n",
            "[mcp_servers.a]\ncommand = \"x\"\n\n# mine\n[tui]\nx = 1\n"},
        RemovedRow{"TomlInAString", "codex",
                   "a = \"\"\"\n[mcp_servers.glasstty]\n\"\"\"\n",
                   "a = \"\"\"\n[mcp_servers.glasstty]\n\"\"\"\n"},
        RemovedRow{
            "Yaml", "goose",
            "# mine\nextensions:\n  a:\n    cmd: x\n  glasstty:\n    enabled: "
            "true\n    args:\n    - mcp\n\n  # b is next\n  b:\n    cmd: y\n"
            "GOOSE_MODEL: m\n",
            "# mine\nextensions:\n  a:\n    cmd: x\n\n  # b is next\n  b:\n    "
            "cmd: y\nGOOSE_MODEL: m\n"},
        RemovedRow{"YamlAlone", "goose",
                   "extensions:\n    glasstty:\n        cmd: x\nlast: |\n  "
                   "glasstty:\n",
                   "extensions: {}\nlast: |\n  glasstty:\n"}),
    [](const auto& row) { return std::string(row.param.name); });

// Whatever is added to a file with other entries can be removed again.
TEST(Removal, UndoesAnAddition) {
  struct File {
    const char* client;
    const char* text;
  };
  const File files[] = {
      {"cursor", "{\n  // c\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n"},
      {"cursor", R"({"mcpServers": {"a": {}}})"},
      {"vscode", "{\r\n\t\"servers\": {\r\n\t\t\"a\": 1,\r\n\t}\r\n}"},
      {"openclaw", "{mcp: {servers: {a: 1}}} // end\n"},
      {"openclaw", "{ mcp: { servers: { a: { b: 'x', }, }, }, }\n"},
      {"vscode", "\xEF\xBB\xBF{\"servers\": {\"a\": 1}}"},
      {"codex", "model = \"o\"\n\n[mcp_servers.a]\ncommand = \"x\"\n"},
      {"codex", ""},
      {"goose", "a: 1\nextensions:\n    x:\n        cmd: y\n\nb: 2\n"},
      {"goose", "extensions:\r\n  x:\r\n    cmd: y\r\n"},
  };
  for (const File& file : files) {
    const ClientRow& client = *FindClient(file.client);
    auto added = AddServer(file.text, client, "/bin/g");
    ASSERT_TRUE(added.ok()) << file.text;
    EXPECT_NE(*added, file.text);
    EXPECT_EQ(ServerProgram(*added, client), "/bin/g") << *added;
    EXPECT_EQ(Without(*added, file.client), file.text);
  }
}

TEST(Removal, OfABrokenFileIsRefused) {
  EXPECT_EQ(Without("{\"mcpServers\": \n["), "error: line 2 is not valid JSON");
  EXPECT_EQ(Without("a: 1\nextensions: {x: {}}\n", "goose"),
            "error: line 2: 'extensions' is not written as a block with one "
            "entry a line");
  EXPECT_EQ(Without("extensions:\n\n- x\n", "goose"),
            "error: line 1: 'extensions' is a list");
}

TEST(ServerProgram, IsWhatTheEntryStarts) {
  struct File {
    const char* client;
    const char* text;
    std::optional<std::string> program;
  };
  const File files[] = {
      {"cursor", "", std::nullopt},
      {"cursor", "broken", std::nullopt},
      {"cursor", R"({"mcpServers": {"other": {}}})", std::nullopt},
      {"cursor", R"({"mcpServers": {"glasstty": {"url": "x"}}})", ""},
      {"cursor", R"({"mcpServers": {"glasstty": {"command": "g"}}})", "g"},
      {"opencode", R"({"mcp": {"glasstty": {"command": ["g", "mcp"]}}})", "g"},
      {"codex", "[mcp_servers.glasstty] # c\n command = \"g\" # d\n", "g"},
      {"codex", "[mcp_servers.glasstty.env]\ncommand = \"g\"\n", std::nullopt},
      {"codex", "[mcp_servers.glasstty]\nurl = \"x\"\n", ""},
      {"codex", "[other]\ncommand = \"g\"\n", std::nullopt},
      {"goose", "extensions:\n  glasstty:\n    cmd: \"g h\" # c\n", "g h"},
      {"goose", "extensions:\n  glasstty:\n    cmd: 'g'\n", "g"},
      {"goose", "extensions:\n  glasstty:\n    env:\n      cmd: g\n", ""},
      {"goose", "other:\n  glasstty:\n    cmd: g\n", std::nullopt},
  };
  for (const File& file : files) {
    EXPECT_EQ(ServerProgram(file.text, *FindClient(file.client)), file.program)
        << file.text;
  }
}

TEST(YamlEdit, AddsAnEntryAndNothingElse) {
  const ClientRow& goose = *FindClient("goose");
  constexpr char kOurs[] =
      "  glasstty:\n    enabled: true\n    type: stdio\n    name: glasstty\n"
      "    description: \"Real terminals\"\n    cmd: /opt/g\n    args:\n    - "
      "mcp\n    timeout: 600\n";
  EXPECT_EQ(*AddServer("", goose, "/opt/g"),
            std::string("extensions:\n") + kOurs);
  EXPECT_EQ(*AddServer("A: 1", goose, "/opt/g"),
            std::string("A: 1\nextensions:\n") + kOurs);
  EXPECT_EQ(*AddServer("extensions: {} # none\nA: 1\n", goose, "/opt/g"),
            std::string("extensions: # none\n") + kOurs + "A: 1\n");
  EXPECT_EQ(
      *AddServer("\"extensions\":\n  # first\n  a:\n    cmd: x", goose,
                 "/opt/g"),
      std::string("\"extensions\":\n  # first\n  a:\n    cmd: x\n") + kOurs);
}

TEST(YamlEdit, SetsOnlyTheProgramInAnEntryThatIsThere) {
  const ClientRow& goose = *FindClient("goose");
  std::string before =
      "extensions:\n  glasstty:\n    enabled: false # off\n    cmd: old # c\n"
      "    args: [mcp, --alone]\n";
  std::string after =
      "extensions:\n  glasstty:\n    enabled: false # off\n    cmd: \"/a b\" # "
      "c\n    args: [mcp, --alone]\n";
  EXPECT_EQ(*AddServer(before, goose, "/a b"), after);
  EXPECT_EQ(*AddServer(after, goose, "/a b"), after);
  EXPECT_EQ(
      *AddServer("extensions:\n  glasstty:\n    type: stdio\n", goose, "/g"),
      "extensions:\n  glasstty:\n    cmd: /g\n    type: stdio\n");
}

TEST(YamlEdit, IndentsTheProgramLikeTheOtherMembersOfTheEntry) {
  const ClientRow& goose = *FindClient("goose");
  EXPECT_EQ(
      *AddServer("extensions:\n  glasstty:\n      type: stdio\n", goose, "/g"),
      "extensions:\n  glasstty:\n      cmd: /g\n      type: stdio\n");
  EXPECT_EQ(*AddServer("extensions:\n  glasstty:", goose, "/g"),
            "extensions:\n  glasstty:\n    cmd: /g\n");
}

TEST(YamlEdit, RefusesWhatIsNotInBlockStyle) {
  const ClientRow& goose = *FindClient("goose");
  for (const char* text :
       {"{}\n", "# c\n--- {a: 1}\n", "[]\n", "- a: 1\n", "{\n  a: 1\n}\n",
        "extensions:\n  glasstty: {type: stdio}\n",
        "extensions:\n  glasstty: null\n"}) {
    EXPECT_FALSE(AddServer(text, goose, "/g").ok()) << text;
  }
  for (const char* text : {"---\nA: 1\n", "%YAML 1.2\n--- # c\nA: 1\n"}) {
    EXPECT_TRUE(AddServer(text, goose, "/g").ok()) << text;
  }
}

}  // namespace
}  // namespace glasstty

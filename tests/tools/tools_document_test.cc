// docs/tools.md: every tool with every argument, made from the tables that the
// server takes calls by. GLASSTTY_UPDATE=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/str_format.h"
#include "support/text.h"
#include "testing/source_tree.h"
#include "tools/all_tools.h"

namespace glasstty {
namespace {

// "string", "integer or boolean", "one of a, b".
std::string TypeText(const Json& schema) {
  auto words = schema.find("enum");
  if (words != schema.end()) {
    std::vector<std::string> names;
    for (const Json& word : *words) names.push_back(word.get<std::string>());
    return "one of " + Join(names, ", ");
  }
  auto type = schema.find("type");
  if (type == schema.end()) return "";
  if (type->is_string()) return type->get<std::string>();
  std::vector<std::string> names;
  for (const Json& name : *type) names.push_back(name.get<std::string>());
  return Join(names, " or ");
}

std::string Row(const std::string& prefix, const mcp::FieldHead& field) {
  std::string meaning = field.schema.value("description", "");
  if (field.required) meaning = "Required. " + meaning;
  if (field.schema.contains("default")) {
    meaning +=
        absl::StrFormat(" Default: `%s`.", DumpJson(field.schema["default"]));
  }
  for (size_t at = 0; (at = meaning.find('|', at)) != std::string::npos;) {
    meaning.insert(at, "\\");
    at += 2;
  }
  std::string text = absl::StrFormat(
      "| `%s%s`%s | %s | %s |\n", prefix, field.name, field.listed ? "" : " *",
      TypeText(field.schema), std::string(TrimTrailingBlanks(meaning)));
  for (const mcp::FieldHead& member : field.members) {
    text += Row(prefix + field.name + ".", member);
  }
  return text;
}

std::string Document() {
  ManualClock clock;
  Loop loop(&clock);
  session::SessionManager manager(&loop, {});
  Workbench bench(&loop, &manager);
  std::string text =
      "# The tools and their arguments\n\n"
      "This page is generated from the tables that the server uses to parse "
      "calls. Arguments marked * work like all\nothers but are left out of the "
      "schemas, because every client pays for the schemas in every "
      "conversation.\nArguments that several tools share are explained under "
      "one of them: `until` under `term_wait`, `input` under\n`term_send`, "
      "`answers` under `term_run`, and how output is shown under "
      "`term_read`.\n";
  for (const mcp::Tool& tool : AllTools(&bench)) {
    text += absl::StrFormat(
        "\n## %s\n\n%s\n\n| argument | type | meaning |\n|---|---|---|\n",
        tool.name, tool.description);
    for (const mcp::FieldHead& field : tool.fields) text += Row("", field);
  }
  return text;
}

TEST(ToolsDocument, ListsEveryArgument) {
  std::string path = SourcePath("docs/tools.md");
  if (std::getenv("GLASSTTY_UPDATE") != nullptr) {
    std::ofstream(path) << Document();
  }
  std::stringstream document;
  document << std::ifstream(path).rdbuf();
  EXPECT_EQ(document.str(), Document())
      << "GLASSTTY_UPDATE=1 makes this test write docs/tools.md anew";
}

TEST(ToolsDocument, EveryUnlistedArgumentSaysWhatItDoes) {
  ManualClock clock;
  Loop loop(&clock);
  session::SessionManager manager(&loop, {});
  Workbench bench(&loop, &manager);
  for (const mcp::Tool& tool : AllTools(&bench)) {
    for (const mcp::FieldHead& field : tool.fields) {
      bool told = field.listed || field.schema.contains("description");
      EXPECT_TRUE(told) << tool.name << " " << field.name;
    }
  }
}

}  // namespace
}  // namespace glasstty

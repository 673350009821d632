// Defines tools that answer with what the suite compares, some after
// notifications.
#include <chrono>
#include <string>
#include <utility>

#include "conformance/fixture.h"
#include "mcp/nap.h"
#include "support/check.h"
#include "support/status.h"

namespace glasstty::testing {
namespace {

using std::chrono::milliseconds;

// Tools that always give the same content.
struct FixedRow {
  const char* name;
  const char* content;  // %s is kPng
};
constexpr FixedRow kFixed[] = {
    {"test_simple_text",
     R"([{"type":"text",
          "text":"This is a simple text response for testing."}])"},
    {"test_image_content",
     R"([{"type":"image","data":"%s","mimeType":"image/png"}])"},
    {"test_audio_content",
     R"([{"type":"audio","mimeType":"audio/wav",
          "data":"UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
         }])"},
    {"test_embedded_resource",
     R"([{"type":"resource","resource":{"uri":"test://embedded-resource",
          "mimeType":"text/plain",
          "text":"This is an embedded resource content."}}])"},
    {"test_multiple_content_types",
     R"([{"type":"text","text":"Multiple content types test:"},
         {"type":"image","data":"%s","mimeType":"image/png"},
         {"type":"resource","resource":{"uri":"test://mixed-content-resource",
          "mimeType":"application/json",
          "text":"{\"test\":\"data\",\"value\":123}"}}])"},
};

Task<mcp::ToolResult> Fixed(const FixedRow* row) {
  std::string text = row->content;
  if (size_t place = text.find("%s"); place != std::string::npos) {
    text.replace(place, 2, kPng);
  }
  auto content = ParseJson(text);
  CHECK(content.ok());
  mcp::ToolResult result;
  for (Json& block : *content) result.more_content.push_back(std::move(block));
  co_return result;
}

Task<mcp::ToolResult> Fail(Fixture*, mcp::ToolCall*, Json) {
  mcp::ToolResult result(
      "This tool intentionally returns an error for testing");
  result.is_error = true;
  co_return result;
}

Task<mcp::ToolResult> LogThrice(Fixture* fixture, mcp::ToolCall* call, Json) {
  for (const char* message : {"Tool execution started", "Tool processing data",
                              "Tool execution completed"}) {
    call->Log("info", message);
    co_await Nap(fixture->loop, call, fixture->loop->Now() + milliseconds(50));
  }
  co_return "logged three messages";
}

Task<mcp::ToolResult> ReportProgress(Fixture* fixture, mcp::ToolCall* call,
                                     Json) {
  for (int done : {0, 50, 100}) {
    call->ReportProgress(done, 100);
    co_await Nap(fixture->loop, call, fixture->loop->Now() + milliseconds(50));
  }
  co_return "reported progress";
}

template <const char* kList>
Task<mcp::ToolResult> Announce(Fixture* fixture, mcp::ToolCall*, Json) {
  fixture->server->subscriptions()->AnnounceList(kList);
  co_return "announced";
}
constexpr char kTools[] = "tools";
constexpr char kPrompts[] = "prompts";

Task<mcp::ToolResult> Done(Fixture*, mcp::ToolCall*, Json) { co_return "done"; }

constexpr ToolRow kRows[] = {
    {"test_error_handling", nullptr, Fail},
    {"test_tool_with_logging", nullptr, LogThrice},
    {"test_logging_tool", nullptr, LogThrice},
    {"test_tool_with_progress", nullptr, ReportProgress},
    {"test_trigger_tool_change", nullptr, Announce<kTools>},
    {"test_trigger_prompt_change", nullptr, Announce<kPrompts>},
};

// This is returned unchanged.
constexpr char kSchema2020[] = R"({
  "$schema":"https://json-schema.org/draft/2020-12/schema",
  "type":"object",
  "$defs":{"address":{"$anchor":"addressDef","type":"object",
    "properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
  "properties":{"name":{"type":"string"},
    "address":{"$ref":"#/$defs/address"},
    "contactMethod":{"type":"string","enum":["phone","email"]},
    "phone":{"type":"string"},"email":{"type":"string"}},
  "allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
  "if":{"properties":{"contactMethod":{"const":"phone"}},
    "required":["contactMethod"]},
  "then":{"required":["phone"]},
  "else":{"required":["email"]},
  "additionalProperties":false})";

}  // namespace

const char* const kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWj"
    "R9awAAAABJRU5ErkJggg==";

mcp::Tool MakeFixtureTool(Fixture* fixture, const ToolRow& row) {
  Json schema = {{"type", "object"}};
  if (row.properties != nullptr) {
    schema["properties"] = *ParseJson(row.properties);
  }
  // DeclareTool is not used, because the suite's names are longer than ours may
  // be.
  mcp::Tool tool;
  tool.name = tool.title = row.name;
  tool.description = "For the conformance suite.";
  tool.input_schema = std::move(schema);
  tool.handler = [fixture, run = row.run](mcp::ToolCall* call,
                                          const Json& args) {
    return run(fixture, call, args);
  };
  return tool;
}

void AddPlainTools(Fixture* fixture, std::vector<mcp::Tool>* tools) {
  for (const FixedRow& row : kFixed) {
    mcp::Tool tool = MakeFixtureTool(fixture, {row.name, nullptr, nullptr});
    tool.handler = [&row](mcp::ToolCall*, const Json&) { return Fixed(&row); };
    tools->push_back(std::move(tool));
  }
  for (const ToolRow& row : kRows) {
    tools->push_back(MakeFixtureTool(fixture, row));
  }
  mcp::Tool missing =
      MakeFixtureTool(fixture, {"test_missing_capability", nullptr, Done});
  missing.needs["sampling"] = Json::object();
  tools->push_back(std::move(missing));
  mcp::Tool schema =
      MakeFixtureTool(fixture, {"json_schema_2020_12_tool", nullptr, Done});
  schema.input_schema = *ParseJson(kSchema2020);
  tools->push_back(std::move(schema));
}

}  // namespace glasstty::testing

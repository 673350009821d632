// Tools whose calls become tasks.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "conformance/fixture.h"
#include "mcp/ask.h"
#include "mcp/nap.h"
#include "support/status.h"

namespace glasstty::testing {
namespace {

using std::chrono::milliseconds;

// A call that ends at once is no task.
constexpr Duration kPatience = milliseconds(0);
// Longer than that, as work is.
constexpr Duration kShort = milliseconds(50);

Task<bool> Work(Fixture* fixture, mcp::ToolCall* call, Duration duration) {
  co_return co_await Nap(fixture->loop, call, fixture->loop->Now() + duration);
}

Task<mcp::ToolResult> Greet(Fixture*, mcp::ToolCall*, Json arguments) {
  co_return "Hello, " + arguments.value("name", "nobody") + "!";
}

Task<mcp::ToolResult> SlowCompute(Fixture* fixture, mcp::ToolCall* call,
                                  Json arguments) {
  double seconds = arguments.value("seconds", 0.0);
  if (seconds > 0) co_await Work(fixture, call, FromSeconds(seconds));
  co_return "computed";
}

Task<mcp::ToolResult> FailingJob(Fixture* fixture, mcp::ToolCall* call, Json) {
  co_await Work(fixture, call, std::chrono::seconds(1));
  mcp::ToolResult result("The job has failed.");
  result.is_error = true;
  co_return result;
}

Task<mcp::ToolResult> ProtocolErrorJob(Fixture* fixture, mcp::ToolCall* call,
                                       Json) {
  co_await Work(fixture, call, std::chrono::seconds(1));
  mcp::ToolResult result;
  result.failure = "The server has failed.";
  co_return result;
}

mcp::ClientRequest Question(const char* key, const char* message,
                            const char* property, const char* type) {
  mcp::ClientRequest request;
  request.key = key;
  request.method = "elicitation/create";
  Json schema = {{"type", "object"}};
  schema["properties"][property]["type"] = type;
  schema["required"] = Json::array({property});
  request.params["message"] = message;
  request.params["requestedSchema"] = std::move(schema);
  return request;
}

Task<mcp::ToolResult> ConfirmDelete(Fixture* fixture, mcp::ToolCall* call,
                                    Json arguments) {
  co_await Work(fixture, call, kShort);
  std::vector<mcp::ClientRequest> requests;
  requests.push_back(Question("confirm", "Delete it?", "confirm", "boolean"));
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  co_return arguments.value("filename", "") + ": " + DumpJson(answers.by_key);
}

Task<mcp::ToolResult> MultiInput(Fixture* fixture, mcp::ToolCall* call, Json) {
  co_await Work(fixture, call, kShort);
  std::vector<mcp::ClientRequest> requests;
  requests.push_back(Question("first", "Your name?", "name", "string"));
  requests.push_back(Question("second", "Your town?", "name", "string"));
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  co_return DumpJson(answers.by_key);
}

// Asks at once, and works then.
Task<mcp::ToolResult> AskThenWork(Fixture* fixture, mcp::ToolCall* call, Json) {
  std::vector<mcp::ClientRequest> requests;
  requests.push_back(Question("user_name", "Your name?", "name", "string"));
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  if (answers.end != mcp::AskEnd::kAnswered) co_return "not yet";
  co_await Work(fixture, call, kShort);
  co_return "Hello, " + DumpJson(answers.by_key["user_name"]);
}

struct TaskRow {
  ToolRow tool;
  bool becomes_task;
  // Clients without tasks cannot call it.
  bool needs_tasks;
};
constexpr TaskRow kRows[] = {
    {{"greet", R"({"name":{"type":"string"}})", Greet}, false, false},
    {{"slow_compute",
      R"({"seconds":{"type":"number"},"label":{"type":"string"}})",
      SlowCompute},
     true,
     false},
    {{"failing_job", nullptr, FailingJob}, true, true},
    {{"protocol_error_job", nullptr, ProtocolErrorJob}, true, false},
    {{"confirm_delete", R"({"filename":{"type":"string"}})", ConfirmDelete},
     true,
     false},
    {{"multi_input", nullptr, MultiInput}, true, false},
    {{"test_tool_with_task", nullptr, AskThenWork}, true, true},
};

}  // namespace

void AddTaskTools(Fixture* fixture, std::vector<mcp::Tool>* tools) {
  for (const TaskRow& row : kRows) {
    mcp::Tool tool = MakeFixtureTool(fixture, row.tool);
    if (row.becomes_task) tool.patience = kPatience;
    if (row.needs_tasks) tool.needs = mcp::TasksCapability();
    tools->push_back(std::move(tool));
  }
}

}  // namespace glasstty::testing

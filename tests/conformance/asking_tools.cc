// Tools that ask the client: in the legacy era by requests, in the modern one
// by results that want input.
#include <string>
#include <utility>
#include <vector>

#include "conformance/fixture.h"
#include "mcp/ask.h"
#include "support/check.h"
#include "support/status.h"

namespace glasstty::testing {
namespace {

constexpr char kElicit[] = "elicitation/create";
constexpr char kSample[] = "sampling/createMessage";
constexpr char kRoots[] = "roots/list";

mcp::ClientRequest MakeRequest(const char* key, const char* method,
                               const std::string& params) {
  auto parsed = ParseJson(params);
  CHECK(parsed.ok());
  return {key, method, *std::move(parsed)};
}

// Returns a form with these properties, all of them required.
mcp::ClientRequest AskForm(const char* key, const std::string& message,
                           const char* properties) {
  mcp::ClientRequest request = MakeRequest(key, kElicit, "{}");
  Json fields = *ParseJson(properties);
  Json required = Json::array();
  for (auto item = fields.begin(); item != fields.end(); ++item) {
    required.push_back(item.key());
  }
  request.params["message"] = message;
  request.params["requestedSchema"]["type"] = "object";
  request.params["requestedSchema"]["properties"] = std::move(fields);
  request.params["requestedSchema"]["required"] = std::move(required);
  return request;
}

mcp::ClientRequest AskModel(const char* key, const std::string& prompt) {
  mcp::ClientRequest request =
      MakeRequest(key, kSample, R"({"maxTokens":100})");
  request.params["messages"] = Json::array();
  request.params["messages"].push_back(mcp::UserMessage(prompt));
  return request;
}

mcp::ClientRequest AskRoots(const char* key) {
  return MakeRequest(key, kRoots, "{}");
}

// Returns the client's answer for `key`, as text that the suite inspects.
std::string TextOf(const mcp::ClientAnswers& answers, const char* key) {
  const Json* answer = FindMember(answers.by_key, key);
  return answer == nullptr ? "nothing" : DumpJson(*answer);
}

// Returns the member of an accepted form.
std::string FieldOf(const mcp::ClientAnswers& answers, const char* key,
                    const char* field) {
  const Json* answer = FindMember(answers.by_key, key);
  const Json* content =
      answer == nullptr ? nullptr : FindMember(*answer, "content");
  const Json* value =
      content == nullptr ? nullptr : FindMember(*content, field);
  return value == nullptr ? "nobody" : AsString(*value).value_or("nobody");
}

// ---- legacy tools: one request, its answer as text

Task<mcp::ToolResult> Sample(Fixture*, mcp::ToolCall* call, Json arguments) {
  std::vector<mcp::ClientRequest> requests;
  requests.push_back(AskModel("sample", arguments.value("prompt", "")));
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  if (answers.end != mcp::AskEnd::kAnswered) co_return "no answer";
  const Json* content = FindMember(answers.by_key["sample"], "content");
  const Json* text =
      content == nullptr ? nullptr : FindMember(*content, "text");
  co_return "LLM response: " +
      (text == nullptr ? "" : AsString(*text).value_or(""));
}

Task<mcp::ToolResult> ElicitAs(mcp::ToolCall* call, std::string format,
                               std::string message, const char* properties) {
  std::vector<mcp::ClientRequest> requests;
  requests.push_back(AskForm("form", message, properties));
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  if (answers.end != mcp::AskEnd::kAnswered) co_return "no answer";
  Json& form = answers.by_key["form"];
  co_return absl::StrFormat("%s action=%s, content=%s", format,
                            form.value("action", "none"),
                            DumpJson(form.value("content", Json::object())));
}

Task<mcp::ToolResult> Elicit(Fixture*, mcp::ToolCall* call, Json arguments) {
  return ElicitAs(call, "User response:", arguments.value("message", ""),
                  R"({"username":{"type":"string"},
                      "email":{"type":"string"}})");
}

Task<mcp::ToolResult> ElicitDefaults(Fixture*, mcp::ToolCall* call, Json) {
  return ElicitAs(call, "Elicitation completed:", "Defaults",
                  R"({"name":{"type":"string","default":"John Doe"},
          "age":{"type":"integer","default":30},
          "score":{"type":"number","default":95.5},
          "status":{"type":"string","enum":["active","inactive","pending"],
                    "default":"active"},
          "verified":{"type":"boolean","default":true}})");
}

Task<mcp::ToolResult> ElicitEnums(Fixture*, mcp::ToolCall* call, Json) {
  return ElicitAs(call, "Elicitation completed:", "Enums",
                  R"({"untitledSingle":{"type":"string",
            "enum":["option1","option2","option3"]},
          "titledSingle":{"type":"string","oneOf":[
            {"const":"value1","title":"First Option"},
            {"const":"value2","title":"Second Option"},
            {"const":"value3","title":"Third Option"}]},
          "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
            "enumNames":["Option One","Option Two","Option Three"]},
          "untitledMulti":{"type":"array","items":{"type":"string",
            "enum":["option1","option2","option3"]}},
          "titledMulti":{"type":"array","items":{"anyOf":[
            {"const":"value1","title":"First Choice"},
            {"const":"value2","title":"Second Choice"},
            {"const":"value3","title":"Third Choice"}]}}})");
}

// ---- modern tools

constexpr char kName[] = R"({"name":{"type":"string"}})";

Task<mcp::ToolResult> AskName(Fixture*, mcp::ToolCall* call, Json) {
  std::vector<mcp::ClientRequest> requests;
  requests.push_back(AskForm("user_name", "What is your name?", kName));
  requests.back().takes_volunteered = true;
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  co_return "Hello, " + FieldOf(answers, "user_name", "name") + "!";
}

Task<mcp::ToolResult> AskCapital(Fixture*, mcp::ToolCall* call, Json) {
  std::vector<mcp::ClientRequest> requests;
  requests.push_back(
      AskModel("capital_question", "What is the capital of France?"));
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  co_return "The model said: " + TextOf(answers, "capital_question");
}

Task<mcp::ToolResult> AskForRoots(Fixture*, mcp::ToolCall* call, Json) {
  std::vector<mcp::ClientRequest> requests;
  requests.push_back(AskRoots("client_roots"));
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  co_return "The roots are: " + TextOf(answers, "client_roots");
}

Task<mcp::ToolResult> AskConfirm(Fixture*, mcp::ToolCall* call, Json) {
  std::vector<mcp::ClientRequest> requests;
  requests.push_back(
      AskForm("confirm", "Go on?", R"({"ok":{"type":"boolean"}})"));
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  co_return "state-ok: " + TextOf(answers, "confirm");
}

Task<mcp::ToolResult> AskThree(Fixture*, mcp::ToolCall* call, Json) {
  std::vector<mcp::ClientRequest> requests;
  requests.push_back(AskForm("user_name", "What is your name?", kName));
  requests.push_back(AskModel("greeting", "Greet somebody."));
  requests.push_back(AskRoots("client_roots"));
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  co_return FieldOf(answers, "user_name", "name") + ", " +
      TextOf(answers, "greeting") + ", " + TextOf(answers, "client_roots");
}

Task<mcp::ToolResult> AskTwice(Fixture*, mcp::ToolCall* call, Json) {
  std::vector<mcp::ClientRequest> first;
  first.push_back(AskForm("step1", "Step 1: your name?", kName));
  mcp::ClientAnswers one = co_await mcp::AskClient(call, std::move(first));
  if (one.end != mcp::AskEnd::kAnswered) co_return "not yet";
  std::vector<mcp::ClientRequest> second;
  second.push_back(AskForm("step2", "Step 2: your colour?",
                           R"({"color":{"type":"string"}})"));
  mcp::ClientAnswers two = co_await mcp::AskClient(call, std::move(second));
  co_return FieldOf(one, "step1", "name") + " likes " +
      FieldOf(two, "step2", "color");
}

// Asks only for what this client supports.
Task<mcp::ToolResult> AskWhatIsPossible(Fixture*, mcp::ToolCall* call, Json) {
  std::vector<mcp::ClientRequest> requests;
  if (mcp::CanAskClient(*call, kElicit)) {
    requests.push_back(AskForm("user_name", "What is your name?", kName));
  }
  if (mcp::CanAskClient(*call, kSample)) {
    requests.push_back(AskModel("greeting", "Greet somebody."));
  }
  if (mcp::CanAskClient(*call, kRoots)) {
    requests.push_back(AskRoots("client_roots"));
  }
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  co_return DumpJson(answers.by_key);
}

// The reply becomes a stream as soon as there is a notification before the
// result.
Task<mcp::ToolResult> AskOnAStream(Fixture* fixture, mcp::ToolCall* call,
                                   Json args) {
  call->Log("info", "about to ask");
  call->ReportProgress(0, 1);
  return AskName(fixture, call, std::move(args));
}

constexpr ToolRow kRows[] = {
    {"test_sampling", R"({"prompt":{"type":"string"}})", Sample},
    {"test_elicitation", R"({"message":{"type":"string"}})", Elicit},
    {"test_elicitation_sep1034_defaults", nullptr, ElicitDefaults},
    {"test_elicitation_sep1330_enums", nullptr, ElicitEnums},
    {"test_streaming_elicitation", nullptr, AskOnAStream},
    {"test_input_required_result_elicitation", nullptr, AskName},
    {"test_input_required_result_sampling", nullptr, AskCapital},
    {"test_input_required_result_list_roots", nullptr, AskForRoots},
    {"test_input_required_result_request_state", nullptr, AskConfirm},
    {"test_input_required_result_multiple_inputs", nullptr, AskThree},
    {"test_input_required_result_multi_round", nullptr, AskTwice},
    {"test_input_required_result_tampered_state", nullptr, AskConfirm},
    {"test_input_required_result_capabilities", nullptr, AskWhatIsPossible},
};

}  // namespace

void AddAskingTools(Fixture* fixture, std::vector<mcp::Tool>* tools) {
  for (const ToolRow& row : kRows) {
    tools->push_back(MakeFixtureTool(fixture, row));
  }
}

}  // namespace glasstty::testing

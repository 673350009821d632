#include "conformance/fixture.h"

#include <string>
#include <utility>
#include <vector>

#include "mcp/ask.h"
#include "support/status.h"

namespace glasstty::testing {
namespace {

Task<absl::StatusOr<mcp::ResourceContents>> Give(std::string text, bool blob) {
  mcp::ResourceContents contents;
  if (blob) {
    contents.blob = std::move(text);
  } else {
    contents.text = std::move(text);
  }
  co_return contents;
}

mcp::Resource MakeResource(const char* uri, const char* name,
                           const char* mime_type, std::string text,
                           bool blob = false) {
  mcp::Resource resource;
  resource.uri = uri;
  resource.name = name;
  resource.title = name;
  resource.description = "For the conformance suite.";
  resource.mime_type = mime_type;
  resource.read = [text, blob](mcp::ToolCall*, mcp::UriVariables) {
    return Give(text, blob);
  };
  return resource;
}

std::vector<mcp::Resource> Resources(Fixture* fixture) {
  std::vector<mcp::Resource> rows;
  rows.push_back(
      MakeResource("test://static-text", "static-text", "text/plain",
                   "This is the content of the static text resource."));
  rows.push_back(MakeResource("test://static-binary", "static-binary",
                              "image/png", kPng, true));
  rows.push_back(MakeResource("test://watched-resource", "watched-resource",
                              "text/plain", "Nothing ever changes."));
  rows.back().watch = [fixture](const mcp::UriVariables&,
                                std::function<void()>) {
    return mcp::Watching(fixture, [](void*) {});
  };
  rows.push_back(MakeResource("test://template/{id}/data", "template",
                              "application/json", ""));
  rows.back().read = [](mcp::ToolCall*, mcp::UriVariables variables) {
    Json data = {{"id", variables["id"]},
                 {"templateTest", true},
                 {"data", "Data for ID: " + variables["id"]}};
    return Give(DumpJson(data), false);
  };
  return rows;
}

// ---- prompts

Json Message(const char* content) {
  Json message = {{"role", "user"}};
  message["content"] = *ParseJson(content);
  return message;
}

Task<absl::StatusOr<Json>> Say(Json messages) { co_return messages; }

Task<absl::StatusOr<Json>> AskContext(mcp::ToolCall* call) {
  mcp::Form form;
  form.key = "user_context";
  form.message = "What is this about?";
  form.properties["context"] = {{"type", "string"}};
  mcp::FormAnswer answer = co_await mcp::AskUser(call, std::move(form));
  Json messages = Json::array();
  messages.push_back(mcp::UserMessage(
      "Context: " + AsString(answer.content["context"]).value_or("none")));
  co_return messages;
}

mcp::Prompt MakePrompt(const char* name,
                       std::vector<mcp::PromptArgument> arguments = {}) {
  mcp::Prompt prompt;
  prompt.name = name;
  prompt.title = name;
  prompt.description = "For the conformance suite.";
  prompt.arguments = std::move(arguments);
  return prompt;
}

std::vector<mcp::Prompt> Prompts() {
  std::vector<mcp::Prompt> rows;
  rows.push_back(MakePrompt("test_simple_prompt"));
  rows.back().get = [](mcp::ToolCall*, mcp::StringMap) {
    return Say(Json::array(
        {mcp::UserMessage("This is a simple prompt for testing.")}));
  };
  rows.push_back(MakePrompt(
      "test_prompt_with_arguments",
      {{.name = "arg1", .description = "The first.", .required = true},
       {.name = "arg2", .description = "The second.", .required = true}}));
  rows.back().get = [](mcp::ToolCall*, mcp::StringMap arguments) {
    return Say(Json::array({mcp::UserMessage(
        absl::StrFormat("Prompt with arguments: arg1='%s', arg2='%s'",
                        arguments["arg1"], arguments["arg2"]))}));
  };
  rows.push_back(MakePrompt(
      "test_prompt_with_embedded_resource",
      {{.name = "resourceUri", .description = "Of it.", .required = true}}));
  rows.back().get = [](mcp::ToolCall*, mcp::StringMap arguments) {
    Json resource = Message(
        R"({"type":"resource","resource":{"mimeType":"text/plain",
            "text":"Embedded resource content for testing."}})");
    resource["content"]["resource"]["uri"] = arguments["resourceUri"];
    return Say(Json::array(
        {resource,
         mcp::UserMessage("Please process the embedded resource above.")}));
  };
  rows.push_back(MakePrompt("test_prompt_with_image"));
  rows.back().get = [](mcp::ToolCall*, mcp::StringMap) {
    Json image = Message(R"({"type":"image","mimeType":"image/png"})");
    image["content"]["data"] = kPng;
    return Say(Json::array(
        {image, mcp::UserMessage("Please analyze the image above.")}));
  };
  rows.push_back(MakePrompt("test_input_required_result_prompt"));
  rows.back().get = [](mcp::ToolCall* call, mcp::StringMap) {
    return AskContext(call);
  };
  return rows;
}

}  // namespace

mcp::Catalog FixtureCatalog(Fixture* fixture) {
  mcp::Catalog catalog;
  AddPlainTools(fixture, &catalog.tools);
  AddAskingTools(fixture, &catalog.tools);
  AddTaskTools(fixture, &catalog.tools);
  catalog.resources = Resources(fixture);
  catalog.prompts = Prompts();
  return catalog;
}

}  // namespace glasstty::testing

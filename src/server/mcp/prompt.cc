#include "mcp/prompt.h"

#include <utility>

namespace glasstty::mcp {

Json UserMessage(std::string text) {
  Json content = {{"type", "text"}, {"text", std::move(text)}};
  Json message = {{"role", "user"}};
  message["content"] = std::move(content);
  return message;
}

Json DescribePrompt(const Prompt& prompt, const Revision& revision) {
  Json entry = {{"name", prompt.name}};
  if (revision.titles && !prompt.title.empty()) entry["title"] = prompt.title;
  if (!prompt.description.empty()) entry["description"] = prompt.description;
  Json arguments = Json::array();
  for (const PromptArgument& argument : prompt.arguments) {
    Json row = {{"name", argument.name}};
    if (!argument.description.empty()) {
      row["description"] = argument.description;
    }
    row["required"] = argument.required;
    arguments.push_back(std::move(row));
  }
  if (!arguments.empty()) entry["arguments"] = std::move(arguments);
  return entry;
}

}  // namespace glasstty::mcp

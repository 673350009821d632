// Prompts: texts that a user picks in the client and completes with a few
// words. A table, like that of the tools; owns nothing. Loop thread only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mcp/eras.h"
#include "mcp/resource.h"
#include "mcp/tool.h"
#include "support/json.h"
#include "support/task.h"

namespace glasstty::mcp {

struct PromptArgument {
  std::string name;
  std::string description;
  bool required = false;
  Completer complete;  // may be unset
};

struct Prompt {
  std::string name;
  std::string title;
  std::string description;
  std::vector<PromptArgument> arguments;
  // The messages ([{"role":...,"content":{...}}]). Required arguments are
  // there and all are known. Error: what is wrong with their values.
  std::function<Task<absl::StatusOr<Json>>(ToolCall*, StringMap)> get;
};

// One message of the user's with this text.
Json UserMessage(std::string text);

// The entry of `prompt` in prompts/list, as far as `revision` knows it.
Json DescribePrompt(const Prompt& prompt, const Revision& revision);

}  // namespace glasstty::mcp

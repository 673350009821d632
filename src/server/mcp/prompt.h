// Prompts: texts that a user picks in the client and completes with a few
// words. They form a table, like the tools; a row owns nothing. Loop thread
// only.
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
  // Returns the messages ([{"role":...,"content":{...}}]). All required
  // arguments are present, and all arguments are known. Error: the value of an
  // argument is invalid.
  std::function<Task<absl::StatusOr<Json>>(ToolCall*, StringMap)> get;
};

// Returns a single message from the user with this text.
Json UserMessage(std::string text);

// Returns the entry of `prompt` in prompts/list, limited to what `revision`
// supports.
Json DescribePrompt(const Prompt& prompt, const Revision& revision);

}  // namespace glasstty::mcp

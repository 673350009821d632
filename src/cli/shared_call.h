// Calls a tool on the shared server, and blocks until the answer is there.
// Single-threaded.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "mcp/tool.h"
#include "support/json.h"

namespace glasstty {

// A reply of the server: a result of the tool, or why there is none.
struct CallAnswer {
  // The text as whole lines. If there are no facts, it is the whole answer.
  std::string text;
  // The facts, or null. Those of tools with output contain the output ("text",
  // "errors"), and the member `text` above only describes it.
  Json structured;
  std::string picture;  // a PNG; "": none
  bool refused = false;
  std::string reason;       // why a wait ended; "" if unknown
  bool held = true;         // false: the text to be "gone" was never there
  std::string failure;      // the name of a refusal's status; "" if unknown
  std::optional<int> exit;  // the exit status of the command or program
  // After a wait for the prompt, the exit status of the shell's last command.
  std::optional<int> last_exit;
};

// Calls the tool; the server is started if there is none. All calls from the
// same GLASSTTY_CLIENT are one client, for which each reading continues where
// the last one ended. Error: no server can be started, or it ended during the
// call.
absl::StatusOr<CallAnswer> CallTool(const mcp::Tool& tool,
                                    const Json& arguments);

// Calls the tool on behalf of the agent whose client has started this process
// (tools/hook.cc). Error: no server runs, or it ended during the call.
absl::StatusOr<CallAnswer> CallForAgent(const std::string& tool,
                                        const Json& arguments);

}  // namespace glasstty

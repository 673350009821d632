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
  // Whole lines. Without facts, they are all that there is.
  std::string text;
  // The facts. Tools with output say there what was printed ("text", "errors"),
  // and `text` is about it.
  Json structured;
  std::string picture;  // a PNG; "": none
  bool refused = false;
  std::string reason;       // why a wait ended; "" if unknown
  bool held = true;         // false: the wait for "gone" saw nothing go
  std::string failure;      // the name of a refusal's status; "" if unknown
  std::optional<int> exit;  // of the command or program
  // After a wait for the prompt: that of the shell's last command.
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

// Notes each call of a tool in the session that it concerns, for people who
// want to see what an agent did (record/call_log.h).
//
// A note never contains `input` (except for its keys), the environment, the
// content of files or an argument that is not known to be harmless. Loop thread
// only.
#pragma once

#include <string>

#include "mcp/tool.h"
#include "support/json.h"
#include "tools/workbench.h"

namespace glasstty {

// Returns the tool with a handler that also notes its calls. Borrows `bench`.
mcp::Tool Noted(Workbench* bench, mcp::Tool tool);

// Returns the arguments on one line, without the session. Harmless arguments
// are shown with their values; of others only the name is shown, as in
// "…<Enter>, env: …", where the first is the input.
std::string HarmlessArguments(const Json& arguments);

}  // namespace glasstty

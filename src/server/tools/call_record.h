// Notes each call of a tool in the session that it concerns, for people who
// want to see what an agent did (record/call_log.h).
//
// A note contains only arguments that are known to be harmless, so neither the
// environment nor the content of a file. Of `input`, it contains only the keys
// and the harmless members of steps. Loop thread only.
#pragma once

#include <string>

#include "mcp/tool.h"
#include "support/json.h"
#include "tools/workbench.h"

namespace glasstty {

// Returns the tool with a handler that also notes its calls. Borrows `bench`.
mcp::Tool Noted(Workbench* bench, mcp::Tool tool);

// Returns the arguments on one line, without the session, as in "env: …,
// …<Enter>, timeout_s: 5". Values that may not be harmless are hidden; the
// command and the input (here "…<Enter>") are shown without their names.
std::string HarmlessArguments(const Json& arguments);

}  // namespace glasstty

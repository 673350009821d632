// term_hook: the tool that hooks of agents' clients call, and no model. No list
// has it.
#pragma once

#include "mcp/tool.h"
#include "tools/workbench.h"

namespace glasstty {

inline constexpr char kHookTool[] = "term_hook";
// The answer to a hook that has nothing to say.
inline constexpr char kNothingToSay[] = "{}";

// `bench` must outlive the tool.
mcp::Tool HookTool(Workbench* bench);

}  // namespace glasstty

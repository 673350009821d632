// term_hook: the tool that hooks of agents' clients call. Models do not call
// it, so no list of tools contains it.
#pragma once

#include "mcp/tool.h"
#include "tools/workbench.h"

namespace glasstty {

inline constexpr char kHookTool[] = "term_hook";
// The output of a hook that has nothing to report.
inline constexpr char kNothingToSay[] = "{}";

// `bench` must outlive the tool.
mcp::Tool HookTool(Workbench* bench);

}  // namespace glasstty

// The prompts that users can pick in their clients. The prompts are constant,
// and borrow the workbench for the names of sessions.
#pragma once

#include <vector>

#include "mcp/prompt.h"
#include "tools/workbench.h"

namespace glasstty {

// `bench` must outlive the prompts.
std::vector<mcp::Prompt> AllPrompts(Workbench* bench);

}  // namespace glasstty

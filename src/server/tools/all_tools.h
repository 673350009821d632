// The tools, in the order in which clients list them. A new tool needs its own
// file, and a line here and in all_tools.cc.
#pragma once

#include <string>
#include <vector>

#include "mcp/tool.h"
#include "tools/workbench.h"

namespace glasstty {

mcp::Tool RunTool(Workbench* bench);
mcp::Tool OpenTool(Workbench* bench);
mcp::Tool SendTool(Workbench* bench);
mcp::Tool ReadTool(Workbench* bench);
mcp::Tool SearchTool(Workbench* bench);
mcp::Tool WaitTool(Workbench* bench);
mcp::Tool ListTool(Workbench* bench);
mcp::Tool CloseTool(Workbench* bench);
mcp::Tool WriteFileTool(Workbench* bench);

// The tools borrow `bench`, which must outlive them.
std::vector<mcp::Tool> AllTools(Workbench* bench);

// Returns whether `choice` includes the tool. `choice` is "all", "read" (the
// tools that change nothing), or names separated by ',', with or without
// "term_".
bool IsChosen(const mcp::Tool& tool, const std::string& choice);
// Error: an unknown name; the message lists the known ones.
absl::Status CheckToolChoice(const std::string& choice);

// Returns the server's `instructions`, which clients may show their models at
// the start; at most 2 KB.
std::string Instructions();

}  // namespace glasstty

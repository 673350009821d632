// The card that clients with MCP Apps show beside the result of term_open. It
// shows the session's screen, kept up to date; nobody can type into it.
//
// card/card.html is the page, which calls the tool term_card. The workbench
// must outlive the tool. Loop thread only.
#pragma once

#include "mcp/resource.h"
#include "mcp/tool.h"
#include "tools/workbench.h"

namespace glasstty {

inline constexpr char kCardUri[] = "ui://glasstty/terminal";
extern const char kCardPage[];

mcp::Tool CardTool(Workbench* bench);
mcp::Resource CardResource();

}  // namespace glasstty

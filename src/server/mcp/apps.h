// MCP Apps (extension io.modelcontextprotocol/ui, revision 2026-01-26): clients
// that support it show a page of ours, a card, beside the results of a tool.
// Pure functions.
//
// A card is a resource whose URI begins with ui://. The client shows it in a
// frame without network, passes it the arguments and results of the call, and
// lets it call tools. For clients without the extension, none of this is
// listed.
#pragma once

#include "mcp/request_context.h"
#include "mcp/tool.h"
#include "support/json.h"

namespace glasstty::mcp {

inline constexpr char kCardType[] = "text/html;profile=mcp-app";

bool ShowsCards(const RequestContext& context);

// Returns the member _meta.ui of `tool` in tools/list for a client that shows
// cards, or null if there is none.
Json CardMeta(const Tool& tool);

}  // namespace glasstty::mcp

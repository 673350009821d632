// Supports MCP Apps (extension io.modelcontextprotocol/ui, revision
// 2026-01-26): a client shows a card, which is a page of ours, beside a tool's
// results. Pure functions.
//
// A card is a resource whose URI begins with ui://. The client shows the card
// in a frame without network, passes it the arguments and results of the call,
// and lets it call tools. No list of resources contains cards. Tools for cards
// are listed only for clients with the extension.
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

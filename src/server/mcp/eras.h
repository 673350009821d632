// The revisions of MCP that this server supports, and their differences.
//
// A new revision is a row in eras.cc. Before 2026-07-28 a client introduces
// itself once with `initialize` (legacy); since then every request carries an
// envelope in params._meta (modern). Both kinds of messages may share one
// connection, so a revision belongs to a message and not to a connection.
// Constant tables.
#pragma once

#include <string_view>

#include "support/json.h"

namespace glasstty::mcp {

enum class Era {
  kLegacy,  // introduced by `initialize`
  kModern,  // each request carries protocolVersion and clientCapabilities
};

// The features of one revision. Features that the client's revision lacks are
// removed before sending.
struct Revision {
  std::string_view name;  // such as "2025-06-18"
  Era era;
  bool batches;           // accepts and sends JSON-RPC arrays
  bool annotations;       // annotations of tools
  bool progress_message;  // a message in notifications/progress
  bool titles;            // titles of tools and of the server
  bool structured;        // structuredContent in tool results
  bool resource_links;    // content blocks of the type resource_link
  bool definition_meta;   // _meta in the definitions of tools
  bool completions;       // the capability `completions`
  bool forms;             // the user can be asked by elicitation
  bool form_modes;        // a question names its mode, such as "form"
  bool icons;             // icons and a description of the server
};

// Returns null if the revision is unknown.
const Revision* FindRevision(std::string_view name);
// Returns the revision of connections without `initialize`, and of those whose
// `initialize` does not name a legacy revision.
const Revision* NewestLegacyRevision();
// The names of the modern revisions, newest first, as a JSON array.
Json ModernRevisionNames();

// Removes structuredContent from a tools/call `result`, and turns each
// resource_link into a block of text, if `revision` does not support them.
Json DowngradeToolResult(Json result, const Revision& revision);

}  // namespace glasstty::mcp

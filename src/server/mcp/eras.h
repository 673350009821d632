// The revisions of MCP that this server supports, and their differences.
//
// A new revision is a row in eras.cc. Before 2026-07-28 a client introduces
// itself once with `initialize` (legacy); since then every request carries an
// envelope in params._meta (modern). Both may share one connection, so the
// revision is a property of a message and not of a connection. Constant tables.
#pragma once

#include <string_view>

#include "support/json.h"

namespace glasstty::mcp {

enum class Era {
  kLegacy,  // introduced by `initialize`
  kModern,  // each request carries protocolVersion and clientCapabilities
};

// The features that a client of one revision supports; others are removed
// before sending.
struct Revision {
  std::string_view name;  // such as "2025-06-18"
  Era era;
  bool batches;           // accepts and sends JSON-RPC arrays
  bool annotations;       // on tools
  bool progress_message;  // in notifications/progress
  bool titles;            // on tools and on the server
  bool structured;        // structuredContent in tool results
  bool resource_links;    // as content blocks
  bool definition_meta;   // _meta on tools
  bool completions;       // as a capability
  bool forms;             // the user can be asked by elicitation
  bool form_modes;        // a question names its mode, such as "form"
  bool icons;             // and other decorations of the server
};

// Returns null if the revision is unknown.
const Revision* FindRevision(std::string_view name);
// Returns the revision for legacy clients that ask for an unknown one, or for
// none.
const Revision* NewestLegacyRevision();
// The names of the modern revisions, newest first, as a JSON array.
Json ModernRevisionNames();

// Removes from a tools/call `result` everything that `revision` does not
// support. If that includes resource_link, each becomes a block of text.
Json DowngradeToolResult(Json result, const Revision& revision);

}  // namespace glasstty::mcp

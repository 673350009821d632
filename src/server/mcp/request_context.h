// The facts that a handler may know about the message that it serves. A new
// value is made for each message: one connection can carry both eras and
// several conversations, so nothing here may be kept for the next message.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/eras.h"
#include "mcp/jsonrpc.h"
#include "support/json.h"

namespace glasstty::mcp {

struct RequestContext {
  Era era() const { return revision->era; }
  std::string_view version() const { return revision->name; }

  const Revision* revision = NewestLegacyRevision();  // a row of eras.cc
  Json client_capabilities = Json::object();
  std::string client_info;  // "claude-code 2.1.330"; for display only
  std::optional<Json> progress_token;  // string or integer
  std::string log_level;               // "" if no log messages are wanted
  std::string principal;               // who sends it; "" on stdio
  // A command line calls: replies hold all output, apart from what is said
  // about it.
  bool at_shell = false;
  // Says about the client what a relay or a command line that represents it has
  // said; otherwise "". `recurring` is the name under which the client comes
  // back on other connections.
  std::string recurring;
  std::string directory;  // the client's absolute working directory
  // The number of times that the client has said that its roots have changed.
  int roots_changes = 0;
  // All that was said, shared because it may contain a large environment; null:
  // nothing.
  std::shared_ptr<const Json> introduction;
};

// The levels of log messages, least important first (RFC 5424).
inline constexpr std::string_view kLogLevels[] = {
    "debug", "info",     "notice", "warning",
    "error", "critical", "alert",  "emergency"};
// Returns the index of `level` among them, or nullopt if it is not a level.
std::optional<size_t> LogLevelRank(std::string_view level);

// Reads the context of a request with these params. With an envelope in
// params._meta it is modern; otherwise it is what `initialize` said (`legacy`).
// The era is not remembered: the next request may belong to the other one.
// Returns false and sets `error` if the envelope is incomplete or names an
// unknown revision.
bool ReadContext(const Json& params, const RequestContext& legacy,
                 RequestContext* context, RpcError* error);

// Returns "claude-code 2.1.330" from a clientInfo, without missing parts.
std::string ClientName(const Json& info);

}  // namespace glasstty::mcp

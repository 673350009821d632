// The facts about a message that its handler may use. Each message gets a new
// value, because one connection can carry both eras and several conversations.
// So nothing here may be kept for the next message.
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
  std::string principal;               // the sender; "" on stdio
  // The caller is a command line: replies contain all output, separate from the
  // text about the output.
  bool at_shell = false;
  // Facts about the client as reported by the relay, command line or HTTP
  // bridge that represents it; otherwise "". `recurring` is the name under
  // which the client returns on other connections.
  std::string recurring;
  std::string directory;  // the client's absolute working directory
  // The number of times that the client has reported a change of its roots.
  int roots_changes = 0;
  // This complete report, shared because it may contain a large environment;
  // null: there was none.
  std::shared_ptr<const Json> introduction;
};

// The levels of log messages, least important first (RFC 5424).
inline constexpr std::string_view kLogLevels[] = {
    "debug", "info",     "notice", "warning",
    "error", "critical", "alert",  "emergency"};
// Returns the index of `level` in kLogLevels, or nullopt if it is not a level.
std::optional<size_t> LogLevelRank(std::string_view level);

// Reads the context of a request with these params. If params._meta contains an
// envelope, the request is modern; otherwise its context is that of
// `initialize` (`legacy`). The era is not remembered, because the next request
// may be of the other era. Returns false and sets `error` if the envelope or
// the progress token is invalid, or if the envelope does not name a modern
// revision.
bool ReadContext(const Json& params, const RequestContext& legacy,
                 RequestContext* context, RpcError* error);

// Returns the name and version in a clientInfo, such as "claude-code 2.1.330";
// a missing part is omitted.
std::string ClientName(const Json& info);

}  // namespace glasstty::mcp

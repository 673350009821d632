// What a handler may know about the message that it serves. A value that is
// made for each message: one connection can carry both eras and several
// conversations, so none of this may be kept for the next message.
#pragma once

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
  std::string client_info;             // "claude-code 2.1.330"; to show only
  std::optional<Json> progress_token;  // string or integer
  std::string log_level;               // "" when no messages are wanted
  std::string principal;               // on whose behalf; "" on stdio
  // What a relay or a command line has said of whom it speaks for; "" else.
  // The name under which the client comes back on other connections.
  std::string recurring;
  std::string directory;  // absolute: where it works
};

// The levels of log messages, the least important first (RFC 5424).
inline constexpr std::string_view kLogLevels[] = {
    "debug", "info",     "notice", "warning",
    "error", "critical", "alert",  "emergency"};
// The place of `level` among them.
std::optional<size_t> LogLevelRank(std::string_view level);

// The context of a request with these params. An envelope in params._meta
// makes it modern; without one it is what `initialize` said (`legacy`). No
// pinning: the next request may be of the other era. False, with what to
// answer, when the envelope is incomplete or names an unknown revision.
bool ReadContext(const Json& params, const RequestContext& legacy,
                 RequestContext* context, RpcError* error);

// "claude-code 2.1.330" from a clientInfo; missing parts are left out.
std::string ClientName(const Json& info);

}  // namespace glasstty::mcp

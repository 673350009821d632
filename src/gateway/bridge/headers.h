// Checks the headers of a POST against the message that it carries (MCP,
// "Streamable HTTP"), and chooses the status of an answer. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "http/server.h"
#include "mcp/eras.h"
#include "mcp/jsonrpc.h"
#include "support/json.h"

namespace glasstty::bridge {

inline constexpr char kSessionHeader[] = "mcp-session-id";

// An error with which a request is answered without involving the server.
struct Refusal {
  int status = 400;
  mcp::RpcError error;
};

// Returns the version in the headers, or "".
std::string VersionOf(const http::Request& request);

// Returns kModern if the message's `_meta` names a protocol version, or else
// the era of the version in the headers. An unknown version means kLegacy.
mcp::Era EraOf(const http::Request& request, const mcp::RpcMessage& message);

// Checks a message or a stream of the legacy era. Returns nullopt if the
// headers name a version that is known, or none. `initialize` may name any
// version.
std::optional<Refusal> CheckVersion(const http::Request& request);

// Checks a modern request. Returns nullopt if its `_meta` is valid and the
// headers have the same version, method and name as the message.
std::optional<Refusal> CheckHeaders(const http::Request& request,
                                    const mcp::RpcMessage& message);

// Returns the HTTP status for `response`, a JSON-RPC message.
int StatusOf(const Json& response, mcp::Era era);

// Returns "name version" of the client in a modern request's `_meta`, or "".
std::string ClientOf(const mcp::RpcMessage& message);

}  // namespace glasstty::bridge

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

// An answer that needs no server.
struct Refusal {
  int status = 400;
  mcp::RpcError error;
};

// By its envelope or, where it has none, by the header.
mcp::Era EraOf(const http::Request& request, const mcp::RpcMessage& message);

// Of a modern request: the version, the method and the name in the headers are
// those of the message. Nullopt: they are.
std::optional<Refusal> CheckHeaders(const http::Request& request,
                                    const mcp::RpcMessage& message);

// Of `response`, a JSON-RPC message.
int StatusOf(const Json& response, mcp::Era era);

// "name version" of the client in a modern request's envelope; "" for none.
std::string ClientOf(const mcp::RpcMessage& message);

}  // namespace glasstty::bridge

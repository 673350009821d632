// Checks the headers of a POST against the message that it carries (MCP,
// "Streamable HTTP"), and chooses the status of an answer. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "http/server.h"
#include "mcp/eras.h"
#include "mcp/jsonrpc.h"
#include "support/json.h"

namespace glasstty {

inline constexpr char kSessionHeader[] = "mcp-session-id";

// An answer that needs no server.
struct Refusal {
  int status = 400;
  RpcError error;
};

// By its envelope or, where it has none, by the header.
Era EraOf(const HttpRequest& request, const RpcMessage& message);

// Of a modern request: the version, the method and the name in the headers are
// those of the message. Nullopt: they are.
std::optional<Refusal> CheckHeaders(const HttpRequest& request,
                                    const RpcMessage& message);

// Of `response`, a JSON-RPC message.
int StatusOf(const Json& response, Era era);

// "name version" of the client in a modern request's envelope; "" for none.
std::string ClientOf(const RpcMessage& message);

}  // namespace glasstty

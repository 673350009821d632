// Parses, checks and creates JSON-RPC 2.0 messages.
//
// Error codes and ids follow MCP, which restricts JSON-RPC. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/json.h"

namespace glasstty::mcp {

// Of the codes -32000 to -32099, only these may be sent.
enum RpcCode {
  kParseError = -32700,          // not JSON
  kInvalidRequest = -32600,      // JSON, but no valid message
  kMethodNotFound = -32601,      // unknown, or only in the other era
  kInvalidParams = -32602,       // also: unknown tool, cursor or (modern)
                                 // resource
  kInternalError = -32603,       // our fault
  kResourceNotFound = -32002,    // legacy only
  kHeaderMismatch = -32020,      // HTTP, modern only
  kMissingCapability = -32021,   // the client lacks one; modern only
  kUnsupportedVersion = -32022,  // modern only
};

struct RpcError {
  int code = kInternalError;
  std::string message;
  Json data;  // null: no data
};

struct RpcMessage {
  enum class Kind { kRequest, kNotification, kResponse };
  Kind kind = Kind::kRequest;
  Json id;  // string or integer; null in a notification
  std::string method;
  Json params = Json::object();
  // For a response; unset if the response is an error.
  std::optional<Json> result;
};

// Parses `json` as a message. Returns false on failure; then `*error` says why,
// and `message->id` is the id, or null if it could not be read.
bool ReadMessage(Json json, RpcMessage* message, RpcError* error);

// Returns whether `id` may be an id or a progress token: a string, or an
// integer of at most 64 bits. 1.0 is not valid, because it could not be echoed
// unchanged.
bool IsValidId(const Json& id);

Json MakeReply(const Json& id, Json result);
// Omits the id if `id` is null, because the protocol forbids "id":null.
Json MakeError(const Json& id, RpcError error);
Json MakeNotification(std::string_view method, Json params);

// Returns the text of a message for the trace. Replaces values that may be
// secret.
std::string Redacted(const Json& message);

}  // namespace glasstty::mcp

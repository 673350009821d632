// Parses, checks and creates JSON-RPC 2.0 messages.
//
// Of MCP it knows only the error codes. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/json.h"

namespace glasstty::mcp {

// Nothing else in -32000..-32099 may be sent.
enum RpcCode {
  kParseError = -32700,          // not JSON
  kInvalidRequest = -32600,      // JSON, but no valid message
  kMethodNotFound = -32601,      // unknown, or of the other era
  kInvalidParams = -32602,       // also unknown tool, cursor, resource (modern)
  kInternalError = -32603,       // our fault
  kResourceNotFound = -32002,    // legacy only
  kHeaderMismatch = -32020,      // HTTP; modern only
  kMissingCapability = -32021,   // of the client; modern only
  kUnsupportedVersion = -32022,  // modern only
};

struct RpcError {
  int code = kInternalError;
  std::string message;
  Json data;  // null: none
};

struct RpcMessage {
  enum class Kind { kRequest, kNotification, kResponse };
  Kind kind = Kind::kRequest;
  Json id;  // string or integer; null in a notification
  std::string method;
  Json params = Json::object();
  // Of a response; nothing when it is an error.
  std::optional<Json> result;
};

// Takes `json` apart. On failure `*error` says why, and `message->id` is the
// id if it could be read, else null.
bool ReadMessage(Json json, RpcMessage* message, RpcError* error);

// True for what may be an id or a progress token: a string, or an integer of
// at most 64 bits. 1.0 is not one: it could not be echoed as it came.
bool IsValidId(const Json& id);

Json MakeReply(const Json& id, Json result);
// Without an id when `id` is null: the protocol forbids "id":null.
Json MakeError(const Json& id, RpcError error);
Json MakeNotification(std::string_view method, Json params);

// For the trace: values that may be secret are replaced.
std::string Redacted(const Json& message);

}  // namespace glasstty::mcp

// The methods of MCP, one row each: to add one, add a row in methods.cc.
#pragma once

#include <string_view>

#include "mcp/eras.h"

namespace glasstty::mcp {

class Server;
struct Connection;
struct RpcMessage;
struct Request;

// Members of _meta that the protocol defines.
inline constexpr char kServerInfoKey[] = "io.modelcontextprotocol/serverInfo";

// How long a client may keep the result; modern results must say so.
enum class Caching {
  kNone,   // nothing is said
  kFixed,  // the same as long as the server runs, for everyone
  kLive,   // about the world: not to be kept
};

struct Method {
  std::string_view name;
  bool legacy;
  bool modern;
  Caching caching;
  // Answers or fails `request`, now or later.
  void (*handle)(Server*, Request* request);
};

// Null if that era has no method of that name.
const Method* FindMethod(std::string_view name, Era era);

// Notifications are never answered, and unknown ones are ignored.
void HandleNotification(Server* server, Connection* connection,
                        const RpcMessage& message);

}  // namespace glasstty::mcp

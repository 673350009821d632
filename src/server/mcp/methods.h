// The methods of MCP. A new method needs a row in the table in methods.cc.
#pragma once

#include <string_view>

#include "mcp/eras.h"

namespace glasstty::mcp {

class Server;
struct Connection;
struct RpcMessage;
struct Request;

// The member of _meta that names the server.
inline constexpr char kServerInfoKey[] = "io.modelcontextprotocol/serverInfo";

// Determines for how long a client of the modern era may cache a result.
enum class Caching {
  kNone,      // the result says nothing about it
  kFixed,     // the same for everyone while the server runs
  kOfClient,  // the same for one client while the server runs
  kLive,      // may change at any time, so it must not be cached
};

struct Method {
  std::string_view name;
  bool legacy;
  bool modern;
  Caching caching;
  // Answers or fails `request`, now or later.
  void (*handle)(Server*, Request* request);
};

// Returns null if that era has no method of that name.
const Method* FindMethod(std::string_view name, Era era);

// Notifications are never answered, and unknown ones are ignored.
void HandleNotification(Server* server, Connection* connection,
                        const RpcMessage& message);

}  // namespace glasstty::mcp

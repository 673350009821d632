// The handlers of the methods, used only by the table in methods.cc.
//
// A handler looks at request->params, which is an object, and calls Answer,
// Fail, StartCall or Take exactly once; after that, the request may no longer
// exist. Server::Answer adds the members that the modern era requires around a
// result, so handlers need not.
#pragma once

#include <string>
#include <string_view>

#include "mcp/jsonrpc.h"
#include "support/json.h"

namespace glasstty::mcp {

class Server;
struct Request;

// lists.cc
void ListTools(Server* server, Request* request);
void ListResources(Server* server, Request* request);
void ListResourceTemplates(Server* server, Request* request);
void ListPrompts(Server* server, Request* request);

// calls.cc
void CallTool(Server* server, Request* request);
void ReadResource(Server* server, Request* request);
void GetPrompt(Server* server, Request* request);
void Complete(Server* server, Request* request);

// subscribe.cc
void Subscribe(Server* server, Request* request);
void Unsubscribe(Server* server, Request* request);
void Listen(Server* server, Request* request);

// server_tasks.cc
void GetTask(Server* server, Request* request);
void UpdateTask(Server* server, Request* request);
void CancelTask(Server* server, Request* request);

// ---- shared by the handlers

// Messages quote names from clients only up to this many bytes.
inline constexpr size_t kMaxEcho = 60;

inline RpcError BadParams(std::string message) {
  return {kInvalidParams, std::move(message), Json()};
}

// Returns the string at params.`key`, or null.
inline const std::string* StringParam(const Json& params,
                                      std::string_view key) {
  const Json* value = FindMember(params, key);
  if (value == nullptr || !value->is_string()) return nullptr;
  return &value->get_ref<const std::string&>();
}

}  // namespace glasstty::mcp

// The state that the server keeps for each connection and each running request.
// Plain data that Server owns, and that only Server and methods.cc change.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mcp/jsonrpc.h"
#include "mcp/request_context.h"
#include "mcp/tool.h"
#include "mcp/transport.h"
#include "support/json.h"
#include "support/loop.h"
#include "support/task.h"

namespace glasstty::mcp {

struct Method;
struct TaskState;

// The outcome of a handler: the request is answered with `result` or with
// `error`.
struct CallOutcome {
  Json result = Json::object();
  std::optional<RpcError> error;
  // Called once the reply is queued for the client.
  std::function<void()> on_sent;
};
using CallHandler = std::function<Task<CallOutcome>(ToolCall*)>;

// The answers to one JSON-RPC array, sent together (revision 2025-03-26).
struct Batch {
  Json replies = Json::array();
  size_t open = 0;  // answers still to come
  std::vector<std::function<void()>> on_sent;
};

struct Request {
  uint64_t connection = 0;
  Json id;
  const Method* method = nullptr;
  Json params = Json::object();
  RequestContext context;
  std::shared_ptr<Batch> batch;    // null: the answer is sent alone
  std::unique_ptr<ToolCall> call;  // null until a handler has been called
  bool silent = false;             // cancelled: nothing more is sent
  // For a call that may become a task: the timer for that, the handler to run
  // the call again, and the task that has answered the request.
  std::unique_ptr<Timer> patience;
  CallHandler handler;
  TaskState* task = nullptr;  // borrowed; null: not a task
};

// The key of a request in Connection::requests: the JSON text of its id, so
// that 1 and "1" differ.
inline std::string RequestKey(const Json& id) { return DumpJson(id); }

struct Connection {
  uint64_t id = 0;
  Transport* transport = nullptr;  // borrowed
  // The content of `initialize`; it applies to messages without an envelope.
  // Before `initialize`: the newest legacy revision, without capabilities.
  RequestContext legacy;
  // Requests that may still be answered or cancelled, by RequestKey.
  std::map<std::string, Request*> requests;
};

}  // namespace glasstty::mcp

// The MCP server: JSON-RPC in, JSON-RPC out, over any number of connections.
//
// Owns the catalog (tools, resources, prompts), the connections' state, the
// running requests, subscriptions and open questions. Does not own transports
// (each outlives its connection), nor know what tools work on. What a method
// does is in methods.cc; who speaks which revision in eras.cc.
// Loop thread only; the loop outlives the server.
//
// A request is answered exactly once, or never when it was cancelled or its
// connection has ended: then its handler is told to stop, runs to its end, and
// what it returns is dropped.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/jsonrpc.h"
#include "mcp/prompt.h"
#include "mcp/questions.h"
#include "mcp/request.h"
#include "mcp/resource.h"
#include "mcp/subscriptions.h"
#include "mcp/tool.h"
#include "mcp/transport.h"
#include "support/json.h"
#include "support/loop.h"
#include "support/task.h"

namespace glasstty::mcp {

struct ServerInfo {
  std::string name;
  std::string version;
  std::string title;
  std::string instructions;  // shown to the model; at most 2 KB
  std::string description;   // shown to people
  Json icons;                // as the specification has them; null: none
  // Lists whose changes are announced ("tools"); those of the product never
  // change.
  std::vector<std::string> changing_lists;
};

// What the server offers. Constant while it runs.
struct Catalog {
  std::vector<Tool> tools;
  std::vector<Resource> resources;
  std::vector<Prompt> prompts;
};

// What a handler's run leads to. The request is answered with `result`, or
// fails.
struct CallOutcome {
  Json result = Json::object();
  std::optional<RpcError> error;
  // Called once the reply is queued for the client.
  std::function<void()> on_sent;
};
using CallHandler = std::function<Task<CallOutcome>(ToolCall*)>;

class Server {
 public:
  // This many calls of one connection may wait; one more may begin, so that a
  // quick call still gets through.
  static constexpr size_t kMaxWaiting = 128;
  // Clients of the SDKs hang up on messages of 10 MB.
  static constexpr size_t kMaxReply = 9'500'000;

  Server(Loop* loop, ServerInfo info, Catalog catalog);
  // REQUIRES: idle(), or the loop does not run again.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // ---- for transports

  // `transport` must live until Disconnect. Returns the connection's id, which
  // is never used again. `principal` is "" for the process's own user.
  uint64_t Connect(Transport* transport, std::string principal = "");
  void Receive(uint64_t connection, std::string_view line);
  // A line passed the limit and was thrown away.
  void ReceiveTooLong(uint64_t connection);
  // Ends its running calls without an answer.
  void Disconnect(uint64_t connection);

  // ---- for main

  // Called with the id of each connection that has ended.
  void OnDisconnect(std::function<void(uint64_t)> ended);
  // Accepts no more lines, ends all running calls without an answer and closes
  // subscriptions.
  void Shutdown();
  // Calls whose handler has not ended yet.
  size_t pending() const { return requests_.size(); }
  bool idle() const { return requests_.empty(); }
  // Called each time the last running call has ended.
  void OnIdle(std::function<void()> idle);

  // Reads too slowly: what can be told later or not at all should be.
  bool IsCongested(uint64_t connection) const;
  // A log message to a client of the initialize era that has set a level which
  // lets it pass (RFC 5424's words); others get none, nor do those that are
  // congested.
  void Log(uint64_t connection, std::string_view level, std::string_view logger,
           Json data);

  // ---- for methods.cc

  const ServerInfo& info() const { return info_; }
  const Catalog& catalog() const { return catalog_; }
  Subscriptions* subscriptions() { return &subscriptions_; }
  // Null when it has ended.
  Connection* FindConnection(uint64_t id);
  const Connection* FindConnection(uint64_t id) const;
  // Each ends `request`.
  void Answer(Request* request, Json result,
              std::function<void()> on_sent = nullptr);
  void Fail(Request* request, RpcError error);
  // Runs `handler` on behalf of `request`; answers when it ends. What the
  // client has answered to questions of an earlier run is at hand.
  void StartCall(Request* request, const CallHandler& handler);
  // Takes `request` without an answer.
  std::unique_ptr<Request> Take(Request* request);
  // Ends the request with this id, if there is one, without an answer.
  void Cancel(Connection* connection, const Json& id);

 private:
  void Dispatch(Connection* connection, Json message,
                const std::shared_ptr<Batch>& batch);
  void DispatchBatch(Connection* connection, Json messages);
  void DispatchRequest(Connection* connection, RpcMessage message,
                       const std::shared_ptr<Batch>& batch);
  void Reply(uint64_t connection, const std::shared_ptr<Batch>& batch,
             Json reply, std::function<void()> on_sent);
  void Flush(uint64_t connection, Batch* batch);
  bool Send(uint64_t connection, const Json& message);
  bool TakeRound(Request* request, RoundAnswers* answers);
  void AskInstead(Request* request);
  void Notify(const Request& request, std::string_view method, Json params);
  void FinishCall(Request* request, CallOutcome outcome);
  void Silence(Request* request);
  void CloseListens();

  // Constant.
  Loop* const loop_;  // borrowed
  const ServerInfo info_;
  const Catalog catalog_;
  // State.
  std::map<uint64_t, Connection> connections_;
  std::map<Request*, std::unique_ptr<Request>> requests_;
  Questions questions_;
  Subscriptions subscriptions_;
  uint64_t last_connection_ = 0;
  bool closing_ = false;
  std::function<void(uint64_t)> ended_;
  std::function<void()> on_idle_;
};

}  // namespace glasstty::mcp

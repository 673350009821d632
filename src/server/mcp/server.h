// The MCP server: receives and sends JSON-RPC over any number of connections.
//
// Owns the catalog (tools, resources, prompts), the connections' state, the
// running requests, tasks, subscriptions and open questions. Does not own
// transports (each outlives its connection), and does not depend on what tools
// work on. The table of methods is in methods.cc, and the table of revisions in
// eras.cc. Loop thread only; the loop outlives the server.
//
// A request is answered exactly once, unless it is cancelled or its connection
// ends. In those cases, its handler is cancelled and runs to its end, but its
// result is dropped.
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
#include "mcp/tasks.h"
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
  Json icons;                // as in the specification; null: none
  // The lists whose changes are announced ("tools"). The product's own lists
  // never change.
  std::vector<std::string> changing_lists;
};

// Everything that the server offers. Constant while it runs.
struct Catalog {
  std::vector<Tool> tools;
  std::vector<Resource> resources;
  std::vector<Prompt> prompts;
  // Returns whether the tool is offered to a client; null: all tools are.
  std::function<bool(const Tool& tool, uint64_t connection,
                     const RequestContext& context)>
      offers = nullptr;
};

class Server {
 public:
  // This many calls of one connection may wait. One more may begin, so that a
  // quick call still gets through.
  static constexpr size_t kMaxWaiting = 128;
  // Clients built on the SDKs disconnect on messages of 10 MB.
  static constexpr size_t kMaxReply = 9'500'000;
  // A command line gets two texts of up to 16 MiB (RequestContext::at_shell),
  // in which JSON writes each newline as two bytes, and some facts about them.
  static constexpr size_t kMaxShellReply = 65 << 20;

  Server(Loop* loop, ServerInfo info, Catalog catalog);
  // REQUIRES: idle() is true, or the loop does not run again.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // ---- for transports

  // `transport` must live until Disconnect. Returns the connection's id, which
  // is never reused. `principal` is "" for the process's own user.
  uint64_t Connect(Transport* transport, std::string principal = "");
  void Receive(uint64_t connection, std::string_view line);
  // Answers a line that exceeded the limit and was dropped. `id` is the
  // message's id as JSON, or "".
  void ReceiveTooLong(uint64_t connection, std::string_view id);
  // Ends the connection's running calls without an answer. Only the tasks of a
  // recurring client (RequestContext::recurring) continue.
  void Disconnect(uint64_t connection);

  // ---- for main

  // Sets a function that is called with the id of each connection that has
  // ended, once the tasks of that connection are over and seen.
  void OnDisconnect(std::function<void(uint64_t)> ended);
  // Sets a function that is called with the name of a recurring client
  // (RequestContext::recurring) when it announces that it will not return.
  void OnGoodbye(std::function<void(const std::string& name)> goodbye);
  // Accepts no more lines, ends all running calls and tasks without an answer,
  // and answers the open subscriptions/listen requests.
  void Shutdown();
  // The number of calls that are not over, including tasks that wait for input.
  size_t pending() const { return requests_.size(); }
  // Returns true if no handler runs, and clients have seen the end of all
  // tasks.
  bool idle() const { return requests_.empty() && !tasks_.NeedAny(); }
  // Sets a function that is called when a call has ended, if idle() is true
  // then.
  void OnIdle(std::function<void()> idle);

  // Returns true if the client reads too slowly; then messages should be
  // delayed or dropped if possible.
  bool IsCongested(uint64_t connection) const;
  // Sends a log message to a client of the legacy era that has set a level
  // (kLogLevels) at or below `level`. Other clients get none, nor do congested
  // ones.
  void Log(uint64_t connection, std::string_view level, std::string_view logger,
           Json data);

  // ---- for the handlers (handlers.h)

  const ServerInfo& info() const { return info_; }
  const Catalog& catalog() const { return catalog_; }
  // Returns whether the tool exists for the sender of `request`.
  bool Offers(const Tool& tool, const Request& request) const {
    return catalog_.offers == nullptr ||
           catalog_.offers(tool, request.connection, request.context);
  }
  Subscriptions* subscriptions() { return &subscriptions_; }
  void Goodbye(const std::string& name);
  // Returns null if the connection has ended.
  Connection* FindConnection(uint64_t id);
  const Connection* FindConnection(uint64_t id) const;
  // Answer and Fail each end `request`.
  void Answer(Request* request, Json result,
              std::function<void()> on_sent = nullptr);
  void Fail(Request* request, RpcError error);
  // Runs `handler` for `request` and answers when the handler ends. The handler
  // has access to the client's answers to questions of an earlier run. After
  // `patience`, the call becomes a task, if the client has declared support.
  void StartCall(Request* request, const CallHandler& handler,
                 std::optional<Duration> patience = std::nullopt);
  // Removes `request` without an answer.
  std::unique_ptr<Request> Take(Request* request);
  // Ends the request with this id, if there is one, without an answer.
  void Cancel(Connection* connection, const Json& id);
  Tasks* tasks() { return &tasks_; }
  // UpdateTask does nothing unless the task waits for answers, and CancelTask
  // does nothing if the task is over.
  void UpdateTask(TaskState* task, const Json& answers);
  void CancelTask(TaskState* task);
  // Records that the client has seen the end of the task.
  void See(TaskState* task);

 private:
  void Dispatch(Connection* connection, Json message,
                const std::shared_ptr<Batch>& batch);
  void DispatchBatch(Connection* connection, Json messages);
  void DispatchRequest(Connection* connection, RpcMessage message,
                       const std::shared_ptr<Batch>& batch);
  void ReplyTo(const Request& request, Json result,
               std::function<void()> on_sent);
  void Reply(uint64_t connection, const std::shared_ptr<Batch>& batch,
             Json reply, std::function<void()> on_sent,
             size_t most = kMaxReply);
  void Flush(uint64_t connection, Batch* batch);
  bool Send(uint64_t connection, const Json& message, size_t most = kMaxReply);
  bool TakeRound(Request* request, RoundAnswers* answers);
  void AskInstead(Request* request);
  void Notify(const Request& request, std::string_view method, Json params);
  void RunCall(Request* request, const CallHandler& handler,
               RoundAnswers answers);
  void FinishCall(Request* request, CallOutcome outcome);
  void BecomeTask(Request* request);
  void FinishTask(Request* request, CallOutcome outcome);
  void ForgetTask(TaskState* task);
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
  Tasks tasks_;
  Subscriptions subscriptions_;
  uint64_t last_connection_ = 0;
  bool closing_ = false;
  std::function<void(uint64_t)> ended_;
  std::function<void(const std::string&)> goodbye_;
  std::function<void()> on_idle_;
};

}  // namespace glasstty::mcp

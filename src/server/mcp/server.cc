// The path of a request: Receive (is it JSON?) -> Dispatch (is it a message?)
// -> DispatchRequest (is the id free, the envelope complete, the method known
// in that era?) -> the handler in the row of methods.cc -> Answer or Fail,
// which remove the request from the tables and send. Each step that rejects the
// request answers with its own error code. A request whose handler is a
// coroutine leaves the path at StartCall (server_calls.cc) and returns through
// FinishCall, in the same turn or much later.
#include "mcp/server.h"

#include <utility>

#include "mcp/methods.h"
#include "support/log.h"
#include "support/status.h"

namespace glasstty::mcp {
namespace {

// Clients may cache a fixed list for an hour.
constexpr int kFixedTtlMs = 3'600'000;
// A line of 4 MiB could contain two million invalid messages, and the errors
// for them would fill more than 100 MB.
constexpr size_t kMaxBatch = 1000;

// Adds what the modern era requires around every result: its kind first, then
// the result's own members, then how long it may be cached and which server
// sent it. Members keep their order on the wire, which makes transcripts
// readable. An incomplete result contains its own kind.
Json Decorate(Json result, const Method& method, const ServerInfo& info) {
  Caching caching = method.caching;
  Json out = {{"resultType", "complete"}};
  Json meta = Json::object();
  for (auto item = result.begin(); item != result.end(); ++item) {
    Json& place = item.key() == "_meta" ? meta : out[item.key()];
    place = std::move(item.value());
  }
  if (caching != Caching::kNone) {
    out["ttlMs"] = caching == Caching::kLive ? 0 : kFixedTtlMs;
    out["cacheScope"] = caching == Caching::kFixed ? "public" : "private";
  }
  if (!meta.contains(kServerInfoKey)) {
    meta[kServerInfoKey] = {{"name", info.name}, {"version", info.version}};
  }
  out["_meta"] = std::move(meta);
  return out;
}

}  // namespace

Server::Server(Loop* loop, ServerInfo info, Catalog catalog)
    : loop_(loop),
      info_(std::move(info)),
      catalog_(std::move(catalog)),
      questions_(loop,
                 [this](uint64_t connection, const Json& message) {
                   return Send(connection, message);
                 }),
      tasks_(loop, [this](TaskState* task) { ForgetTask(task); }),
      subscriptions_(loop, &catalog_.resources,
                     {[this](uint64_t connection, const Json& message) {
                        return Send(connection, message);
                      },
                      [this](uint64_t id) { return IsCongested(id); }}) {}

Server::~Server() {
  if (requests_.empty()) return;
  Warn("server destroyed with %d calls running", requests_.size());
  // The handlers' frames borrow the calls, so both are leaked: a handler that
  // is resumed after all must not touch freed memory.
  for (auto& [request, owner] : requests_) (void)owner.release();
}

uint64_t Server::Connect(Transport* transport, std::string principal) {
  uint64_t id = ++last_connection_;
  Connection& connection = connections_[id];
  connection.id = id;
  connection.transport = transport;
  connection.legacy.principal = std::move(principal);
  return id;
}

Connection* Server::FindConnection(uint64_t id) {
  auto found = connections_.find(id);
  return found == connections_.end() ? nullptr : &found->second;
}

const Connection* Server::FindConnection(uint64_t id) const {
  auto found = connections_.find(id);
  return found == connections_.end() ? nullptr : &found->second;
}

void Server::Disconnect(uint64_t id) {
  Connection* connection = FindConnection(id);
  if (connection == nullptr) return;
  while (!connection->requests.empty()) {
    Silence(connection->requests.begin()->second);
  }
  if (connection->legacy.recurring.empty()) tasks_.ClearOf(id);
  subscriptions_.ForgetConnection(id);
  connections_.erase(id);
  if (ended_ && !tasks_.Needs(id)) ended_(id);
}

void Server::OnDisconnect(std::function<void(uint64_t)> ended) {
  ended_ = std::move(ended);
}
void Server::OnGoodbye(std::function<void(const std::string& name)> goodbye) {
  goodbye_ = std::move(goodbye);
}
void Server::OnIdle(std::function<void()> idle) { on_idle_ = std::move(idle); }

void Server::Goodbye(const std::string& name) {
  if (goodbye_) goodbye_(name);
}

void Server::Shutdown() {
  // Set this first, so that the callbacks of ended calls cannot make the server
  // accept another line.
  closing_ = true;
  CloseListens();
  for (auto& [id, connection] : connections_) {
    while (!connection.requests.empty()) {
      Silence(connection.requests.begin()->second);
    }
  }
  tasks_.Clear();
}

// ---- in

void Server::Receive(uint64_t id, std::string_view line) {
  Connection* connection = FindConnection(id);
  if (connection == nullptr || closing_) return;
  auto json = ParseJson(line);
  if (!json.ok()) {
    Trace(LogCategory::kRpc, "%d: -> %d bytes: %s", id, line.size(),
          Message(json.status()));
    Send(id, MakeError(Json(), {kParseError, Message(json.status()), Json()}));
    return;
  }
  if (LogEnabled(LogCategory::kRpc)) {
    Trace(LogCategory::kRpc, "%d: -> %s", id, Redacted(*json));
  }
  // An array has no envelope, so the result of `initialize` decides.
  if (json->is_array() && connection->legacy.revision->batches) {
    DispatchBatch(connection, *std::move(json));
  } else {
    Dispatch(connection, *std::move(json), nullptr);
  }
}

void Server::ReceiveTooLong(uint64_t connection, std::string_view id) {
  Trace(LogCategory::kRpc, "%d: -> too long", connection);
  if (closing_) return;
  auto known = ParseJson(id);
  bool is_id = known.ok() && (known->is_string() || known->is_number_integer());
  Send(connection, MakeError(is_id ? *known : Json(),
                             {kInvalidRequest,
                              "line over 4 MiB: send less at once", Json()}));
}

void Server::DispatchBatch(Connection* connection, Json messages) {
  auto batch = std::make_shared<Batch>();
  if (messages.empty() || messages.size() > kMaxBatch) {
    Send(connection->id,
         MakeError(Json(), {kInvalidRequest, "a batch has 1 to 1000 messages",
                            Json()}));
    return;
  }
  // Keeps the batch open until all of its requests have begun.
  batch->open = 1;
  for (Json& message : messages) {
    Dispatch(connection, std::move(message), batch);
  }
  --batch->open;
  Flush(connection->id, batch.get());
}

void Server::Dispatch(Connection* connection, Json json,
                      const std::shared_ptr<Batch>& batch) {
  RpcMessage message;
  RpcError error;
  if (!ReadMessage(std::move(json), &message, &error)) {
    if (batch != nullptr) ++batch->open;
    Reply(connection->id, batch, MakeError(message.id, std::move(error)),
          nullptr);
    return;
  }
  switch (message.kind) {
    case RpcMessage::Kind::kRequest:
      DispatchRequest(connection, std::move(message), batch);
      break;
    case RpcMessage::Kind::kNotification:
      HandleNotification(this, connection, message);
      break;
    case RpcMessage::Kind::kResponse:
      questions_.Receive(connection->id, message.id,
                         message.result ? &*message.result : nullptr);
      break;
  }
}

void Server::DispatchRequest(Connection* connection, RpcMessage message,
                             const std::shared_ptr<Batch>& batch) {
  if (batch != nullptr) ++batch->open;
  // The request is in no table yet, so Fail cannot be used.
  auto refuse = [&](RpcError error) {
    Reply(connection->id, batch, MakeError(message.id, std::move(error)),
          nullptr);
  };
  if (connection->requests.contains(RequestKey(message.id)) ||
      subscriptions_.Listens(connection->id, message.id)) {
    return refuse(
        {kInvalidRequest, "a request with this id is in flight", Json()});
  }
  RequestContext context;
  RpcError error;
  if (!ReadContext(message.params, connection->legacy, &context, &error)) {
    return refuse(std::move(error));
  }
  const Method* method = FindMethod(message.method, context.era());
  if (method == nullptr) {
    return refuse({kMethodNotFound, "method not found", Json()});
  }
  auto owned = std::make_unique<Request>();
  Request* request = owned.get();
  request->connection = connection->id;
  request->id = std::move(message.id);
  request->method = method;
  request->params = std::move(message.params);
  request->context = std::move(context);
  request->batch = batch;
  connection->requests[RequestKey(request->id)] = request;
  requests_[request] = std::move(owned);
  method->handle(this, request);
}

// ---- out

void Server::Answer(Request* request, Json result,
                    std::function<void()> on_sent) {
  auto owned = Take(request);
  ReplyTo(*owned, std::move(result), std::move(on_sent));
}

void Server::ReplyTo(const Request& request, Json result,
                     std::function<void()> on_sent) {
  if (request.context.era() == Era::kModern) {
    result = Decorate(std::move(result), *request.method, info_);
  }
  Reply(request.connection, request.batch,
        MakeReply(request.id, std::move(result)), std::move(on_sent),
        request.context.at_shell ? kMaxShellReply : kMaxReply);
}

void Server::Fail(Request* request, RpcError error) {
  auto owned = Take(request);
  Reply(owned->connection, owned->batch, MakeError(owned->id, std::move(error)),
        nullptr);
}

// Sends `reply`, or keeps it until its batch is complete. `on_sent` is called
// when the line that contains the reply has been queued. A reply outside a
// batch may have up to `most` bytes.
void Server::Reply(uint64_t connection, const std::shared_ptr<Batch>& batch,
                   Json reply, std::function<void()> on_sent, size_t most) {
  if (batch == nullptr) {
    if (Send(connection, reply, most) && on_sent) on_sent();
    return;
  }
  batch->replies.push_back(std::move(reply));
  if (on_sent) batch->on_sent.push_back(std::move(on_sent));
  --batch->open;
  Flush(connection, batch.get());
}

// Sends a batch once it has its last answer.
void Server::Flush(uint64_t connection, Batch* batch) {
  if (batch->open > 0 || batch->replies.empty()) return;
  Json replies = std::exchange(batch->replies, Json::array());
  if (!Send(connection, replies)) return;
  for (const auto& on_sent : batch->on_sent) on_sent();
}

bool Server::IsCongested(uint64_t id) const {
  const Connection* connection = FindConnection(id);
  return connection != nullptr && connection->transport->congested();
}

void Server::Log(uint64_t id, std::string_view level, std::string_view logger,
                 Json data) {
  const Connection* connection = FindConnection(id);
  if (connection == nullptr) return;
  auto least = LogLevelRank(connection->legacy.log_level);
  auto rank = LogLevelRank(level);
  if (!least || !rank || *rank < *least || IsCongested(id)) return;
  Json params = {{"level", std::string(level)},
                 {"logger", std::string(logger)}};
  params["data"] = std::move(data);
  Send(id, MakeNotification("notifications/message", std::move(params)));
}

// Replaces a message of more than `most` bytes by an error. Returns false if
// nobody will ever read the message.
bool Server::Send(uint64_t id, const Json& message, size_t most) {
  const Connection* connection = FindConnection(id);
  if (connection == nullptr) return false;
  std::string line = DumpJson(message);
  bool fits = line.size() <= most;
  if (!fits) {
    Warn("reply of %d bytes replaced by an error", line.size());
    const Json* request = FindMember(message, "id");
    line = DumpJson(MakeError(
        request == nullptr ? Json() : *request,
        {kInternalError,
         absl::StrFormat("reply of %d bytes is too large", line.size()),
         Json()}));
  }
  Trace(LogCategory::kRpc, "%d: <- %s", id, line);
  return connection->transport->SendLine(std::move(line)) && fits;
}

}  // namespace glasstty::mcp

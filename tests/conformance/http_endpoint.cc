// The order of the checks: path, host and origin, method, content type, JSON,
// message, then the headers of the revision against the message, then the
// method's name.
#include "conformance/http_endpoint.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>

#include <utility>

#include "mcp/methods.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::testing {
namespace {

constexpr char kPath[] = "/mcp";
constexpr char kSession[] = "Mcp-Session-Id";
constexpr char kVersion[] = "MCP-Protocol-Version";
constexpr char kEnvelopeVersion[] = "io.modelcontextprotocol/protocolVersion";

std::string Header(evhttp_request* request, const char* name) {
  const char* value =
      evhttp_find_header(evhttp_request_get_input_headers(request), name);
  if (value == nullptr) return "";
  std::string text(TrimTrailingBlanks(value));
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

bool HasHeader(evhttp_request* request, const char* name) {
  return evhttp_find_header(evhttp_request_get_input_headers(request), name) !=
         nullptr;
}

void SetHeader(evhttp_request* request, const char* name,
               const std::string& value) {
  evhttp_add_header(evhttp_request_get_output_headers(request), name,
                    value.c_str());
}

void Reply(evhttp_request* request, int status, const std::string& body = "") {
  evbuffer* buffer = evbuffer_new();
  evbuffer_add(buffer, body.data(), body.size());
  if (!body.empty()) SetHeader(request, "Content-Type", "application/json");
  evhttp_send_reply(request, status, nullptr, buffer);
  evbuffer_free(buffer);
}

// The status of a response that the server has made.
int StatusOf(const Json& response, Era era) {
  const Json* error = FindMember(response, "error");
  if (error == nullptr) return 200;
  switch (error->value("code", 0)) {
    case kParseError:
    case kInvalidRequest:
    case kHeaderMismatch:
    case kMissingCapability:
    case kUnsupportedVersion:
      return 400;
    case kMethodNotFound:
      return era == Era::kModern ? 404 : 200;
    default:
      return 200;
  }
}

// The envelope's version; null when there is no envelope.
const Json* EnvelopeVersion(const Json& params) {
  const Json* meta = FindMember(params, "_meta");
  return meta == nullptr ? nullptr : FindMember(*meta, kEnvelopeVersion);
}

// What `Mcp-Name` must repeat; "" where it is not wanted.
std::string NameOf(const RpcMessage& message) {
  const char* member = message.method == "resources/read" ? "uri" : "name";
  bool named = message.method == "tools/call" ||
               message.method == "prompts/get" ||
               message.method == "resources/read";
  const Json* name = FindMember(message.params, member);
  if (!named || name == nullptr) return "";
  return AsString(*name).value_or("");
}

}  // namespace

// One POST and its response, or one GET stream.
class Exchange : public Transport {
 public:
  Exchange(HttpEndpoint* endpoint, evhttp_request* request, Era era,
           std::string session)
      : endpoint_(endpoint),
        request_(request),
        http_connection_(evhttp_request_get_connection(request)),
        era_(era),
        session_(std::move(session)),
        connection_(endpoint->server_->Connect(this)) {
    evhttp_connection_set_closecb(
        http_connection_,
        [](evhttp_connection*, void* self) {
          static_cast<Exchange*>(self)->OnGone();
        },
        this);
    // evhttp reads no more while it answers, and would not see the client go.
    bufferevent_enable(evhttp_connection_get_bufferevent(http_connection_),
                       EV_READ);
  }
  ~Exchange() override { endpoint_->server_->Disconnect(connection_); }

  // The session of an `initialize` begins with its answer.
  void BeginsSession() { begins_session_ = true; }
  uint64_t connection() const { return connection_; }
  const std::string& session() const { return session_; }

  bool SendLine(std::string line) override {
    if (request_ == nullptr) return false;
    auto message = ParseJson(line);
    bool last = message.ok() && !message->contains("method");
    if (last && !streams_) {
      int status = StatusOf(*message, era_);
      if (begins_session_ && status == 200) {
        SetHeader(request_, kSession,
                  endpoint_->BeginSession(
                      endpoint_->server_->FindConnection(connection_)->legacy));
      }
      Reply(LetGo(), status, line);
      return true;
    }
    if (!streams_) BeginStream();
    evbuffer* frame = evbuffer_new();
    std::string text = "event: message\ndata: " + line + "\n\n";
    evbuffer_add(frame, text.data(), text.size());
    evhttp_send_reply_chunk(request_, frame);
    evbuffer_free(frame);
    if (last) evhttp_send_reply_end(LetGo());
    return true;
  }
  bool congested() const override { return false; }
  void Close() override {}

  void BeginStream() {
    streams_ = true;
    SetHeader(request_, "Content-Type", "text/event-stream");
    SetHeader(request_, "Cache-Control", "no-cache");
    evhttp_send_reply_start(request_, 200, nullptr);
  }

 private:
  // The request is answered after this, and this object dies from the loop: the
  // server is in the middle of a call.
  evhttp_request* LetGo() {
    evhttp_connection_set_closecb(http_connection_, nullptr, nullptr);
    endpoint_->loop_->Post(
        [endpoint = endpoint_, this] { endpoint->Remove(this); });
    return std::exchange(request_, nullptr);
  }
  // evhttp frees the request itself.
  void OnGone() {
    request_ = nullptr;
    endpoint_->loop_->Post(
        [endpoint = endpoint_, this] { endpoint->Remove(this); });
  }

  HttpEndpoint* const endpoint_;  // borrowed
  evhttp_request* request_;       // null once it is answered or gone
  evhttp_connection* const http_connection_;
  const Era era_;
  const std::string session_;
  const uint64_t connection_;
  bool begins_session_ = false;
  bool streams_ = false;
};

void HttpEndpoint::FreeHttp::operator()(evhttp* http) const {
  evhttp_free(http);
}

HttpEndpoint::HttpEndpoint(Loop* loop, Server* server)
    : loop_(loop), server_(server), http_(evhttp_new(loop->base())) {
  evhttp_set_gencb(http_.get(), OnRequest, this);
  evhttp_set_max_body_size(http_.get(), 4 << 20);
  // Methods that evhttp refuses by itself get 501; ours is 405.
  evhttp_set_allowed_methods(
      http_.get(), EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD |
                       EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
                       EVHTTP_REQ_TRACE | EVHTTP_REQ_CONNECT |
                       EVHTTP_REQ_PATCH);
}

HttpEndpoint::~HttpEndpoint() = default;

int HttpEndpoint::Listen(int port) {
  evhttp_bound_socket* socket = evhttp_bind_socket_with_handle(
      http_.get(), "127.0.0.1", static_cast<uint16_t>(port));
  if (socket == nullptr) return 0;
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(evhttp_bound_socket_get_fd(socket),
              reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  return port_;
}

void HttpEndpoint::OnRequest(evhttp_request* request, void* self) {
  static_cast<HttpEndpoint*>(self)->Take(request);
}

// A page of another site that names us by a host of its own is refused.
bool HttpEndpoint::IsLocal(evhttp_request* request) const {
  std::string origin = Header(request, "Origin");
  std::string host = Header(request, "Host");
  bool host_good = false, origin_good = origin.empty();
  for (const char* name : {"localhost", "127.0.0.1", "[::1]"}) {
    std::string local = absl::StrFormat("%s:%d", name, port_);
    host_good |= host == local;
    origin_good |= origin == "http://" + local;
  }
  return host_good && origin_good;
}

void HttpEndpoint::Take(evhttp_request* request) {
  const char* path =
      evhttp_uri_get_path(evhttp_request_get_evhttp_uri(request));
  if (path == nullptr || std::string_view(path) != kPath) {
    return Reply(request, 404);
  }
  if (!IsLocal(request)) return Reply(request, 403);
  bool in_session = sessions_.contains(Header(request, kSession));
  switch (evhttp_request_get_command(request)) {
    case EVHTTP_REQ_POST:
      return Post(request);
    case EVHTTP_REQ_GET:
      if (in_session) return OpenStream(request);
      break;
    case EVHTTP_REQ_DELETE:
      if (in_session) return EndSession(request);
      break;
    default:
      break;
  }
  SetHeader(request, "Allow", "POST");
  Reply(request, 405);
}

// Nothing of ours is ever said outside of a request; clients open one anyway.
void HttpEndpoint::OpenStream(evhttp_request* request) {
  auto exchange = std::make_unique<Exchange>(this, request, Era::kLegacy,
                                             Header(request, kSession));
  exchange->BeginStream();
  exchanges_[exchange.get()] = std::move(exchange);
}

void HttpEndpoint::EndSession(evhttp_request* request) {
  sessions_.erase(Header(request, kSession));
  Reply(request, 204);
}

HttpEndpoint::Refusal HttpEndpoint::CheckModern(
    evhttp_request* request, const RpcMessage& message) const {
  auto refuse = [&message](int status, int code, const char* why) {
    return Refusal{status, {code, why, Json()}, message.id};
  };
  const Json* version = EnvelopeVersion(message.params);
  if (version == nullptr) {
    return refuse(400, kInvalidParams, "_meta needs an envelope");
  }
  if (!HasHeader(request, kVersion) ||
      Header(request, kVersion) != AsString(*version).value_or("")) {
    return refuse(400, kHeaderMismatch,
                  "MCP-Protocol-Version is not the envelope's");
  }
  Refusal refusal = refuse(400, 0, "");
  RequestContext none, context;
  if (!ReadContext(message.params, none, &context, &refusal.error)) {
    return refusal;
  }
  if (Header(request, "Mcp-Method") != message.method) {
    return refuse(400, kHeaderMismatch, "Mcp-Method is not the method");
  }
  std::string name = NameOf(message);
  if (!name.empty() && Header(request, "Mcp-Name") != name) {
    return refuse(400, kHeaderMismatch, "Mcp-Name is not the name");
  }
  return {};
}

// Into `*context`: what the session says.
HttpEndpoint::Refusal HttpEndpoint::CheckLegacy(evhttp_request* request,
                                                RequestContext* context) const {
  auto session = sessions_.find(Header(request, kSession));
  if (session != sessions_.end()) {
    *context = session->second;
    return {};
  }
  if (HasHeader(request, kSession)) {
    return {404, {kInvalidRequest, "no such session", Json()}, Json()};
  }
  const Revision* revision = FindRevision(Header(request, kVersion));
  if (revision != nullptr) context->revision = revision;
  return {};
}

HttpEndpoint::Refusal HttpEndpoint::Check(evhttp_request* request,
                                          const RpcMessage& message,
                                          RequestContext* context) const {
  const Revision* header = FindRevision(Header(request, kVersion));
  bool modern = EnvelopeVersion(message.params) != nullptr ||
                (header != nullptr && header->era == Era::kModern);
  return modern ? CheckModern(request, message) : CheckLegacy(request, context);
}

void HttpEndpoint::Post(evhttp_request* request) {
  auto refuse = [request](const Refusal& refusal) {
    Reply(request, refusal.status,
          DumpJson(MakeError(refusal.id, refusal.error)));
  };
  std::string type = AsciiLower(Header(request, "Content-Type"));
  if (type.substr(0, type.find(';')) != "application/json") {
    return Reply(request, 415);
  }
  evbuffer* input = evhttp_request_get_input_buffer(request);
  std::string body(evbuffer_get_length(input), '\0');
  evbuffer_remove(input, body.data(), body.size());
  auto json = ParseJson(body);
  if (!json.ok()) {
    return refuse({400, {kParseError, Message(json.status()), Json()}, Json()});
  }
  RpcMessage message;
  RpcError error;
  if (!ReadMessage(*json, &message, &error)) {
    return refuse({400, error, message.id});
  }
  std::string session = Header(request, kSession);
  if (message.kind != RpcMessage::Kind::kRequest) {
    Reply(request, 202);
    return Distribute(session, body);
  }
  RequestContext context;
  Refusal refusal = Check(request, message, &context);
  if (refusal.status != 0) return refuse(refusal);
  Era era =
      EnvelopeVersion(message.params) != nullptr ? Era::kModern : Era::kLegacy;
  auto owned = std::make_unique<Exchange>(this, request, era, session);
  Exchange* exchange = owned.get();
  exchanges_[exchange] = std::move(owned);
  server_->FindConnection(exchange->connection())->legacy = context;
  if (message.method == "initialize") exchange->BeginsSession();
  server_->Receive(exchange->connection(), body);
  // logging/setLevel counts for the session.
  auto known = sessions_.find(session);
  if (message.method == "logging/setLevel" && known != sessions_.end()) {
    known->second = server_->FindConnection(exchange->connection())->legacy;
  }
}

// Sessions are few here, and so are their open POSTs.
void HttpEndpoint::Distribute(const std::string& session,
                              std::string_view body) {
  if (!sessions_.contains(session)) return;
  for (auto& [exchange, owned] : exchanges_) {
    if (exchange->session() != session) continue;
    server_->Receive(exchange->connection(), body);
  }
}

// Guessable ids are good enough for a program that only tests talk to.
std::string HttpEndpoint::BeginSession(const RequestContext& context) {
  std::string id = absl::StrFormat("session-%d", ++last_session_);
  sessions_[id] = context;
  return id;
}

void HttpEndpoint::Remove(Exchange* exchange) { exchanges_.erase(exchange); }

}  // namespace glasstty::testing

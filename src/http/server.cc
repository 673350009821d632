#include "http/server.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <sys/queue.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "support/check.h"
#include "support/status.h"

namespace glasstty {
namespace {

// As long as no descriptor is to be had, accept(2) would fail at once, again
// and again.
constexpr timeval kAcceptPause = {0, 200'000};

void Enable(int, short, void* listener) {
  evconnlistener_enable(static_cast<evconnlistener*>(listener));
}

void OnAcceptError(evconnlistener* listener, void*) {
  evconnlistener_disable(listener);
  event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, Enable,
                  listener, &kAcceptPause);
}

const char* MethodName(evhttp_cmd_type type) {
  switch (type) {
    case EVHTTP_REQ_GET:
      return "GET";
    case EVHTTP_REQ_POST:
      return "POST";
    case EVHTTP_REQ_DELETE:
      return "DELETE";
    case EVHTTP_REQ_OPTIONS:
      return "OPTIONS";
    default:
      return "";
  }
}

std::string Decoded(const char* text) {
  size_t size = 0;
  char* decoded = evhttp_uridecode(text, 0, &size);
  if (decoded == nullptr) return "";
  std::string result(decoded, size);
  std::free(decoded);
  return result;
}

HttpRequest Parse(evhttp_request* request) {
  HttpRequest parsed;
  parsed.method = MethodName(evhttp_request_get_command(request));
  const evhttp_uri* uri = evhttp_request_get_evhttp_uri(request);
  const char* path = uri == nullptr ? nullptr : evhttp_uri_get_path(uri);
  if (path != nullptr) parsed.path = Decoded(path);
  const char* query = uri == nullptr ? nullptr : evhttp_uri_get_query(uri);
  evkeyvalq pairs;
  if (query != nullptr && evhttp_parse_query_str(query, &pairs) == 0) {
    for (evkeyval* pair = pairs.tqh_first; pair != nullptr;
         pair = pair->next.tqe_next) {
      parsed.query[pair->key] = pair->value;
    }
    evhttp_clear_headers(&pairs);
  }
  const evkeyvalq* headers = evhttp_request_get_input_headers(request);
  for (evkeyval* pair = headers->tqh_first; pair != nullptr;
       pair = pair->next.tqe_next) {
    parsed.headers[absl::AsciiStrToLower(pair->key)] = pair->value;
  }
  evbuffer* body = evhttp_request_get_input_buffer(request);
  parsed.body.resize(evbuffer_get_length(body));
  evbuffer_remove(body, parsed.body.data(), parsed.body.size());
  return parsed;
}

}  // namespace

std::string HttpRequest::Header(const std::string& name) const {
  auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

// ---- a stream

HttpStream::HttpStream(evhttp_request* request) : request_(request) {
  // evhttp frees the request with its connection, unless it has taken it from
  // there because the reply goes on: then it is ours.
  evhttp_connection_set_closecb(
      evhttp_request_get_connection(request),
      [](evhttp_connection*, void* self) {
        auto* stream = static_cast<HttpStream*>(self);
        evhttp_request* own = std::exchange(stream->request_, nullptr);
        if (evhttp_request_get_connection(own) == nullptr) {
          evhttp_request_free(own);
        }
        stream->Changed();
      },
      this);
}

HttpStream::~HttpStream() {
  if (request_ == nullptr) return;
  evhttp_connection* connection = evhttp_request_get_connection(request_);
  if (connection != nullptr) {
    evhttp_connection_set_closecb(connection, nullptr, nullptr);
  }
  evhttp_send_reply_end(request_);
}

void HttpStream::Send(std::string_view bytes) {
  if (request_ == nullptr || bytes.empty()) return;
  idle_ = false;
  evbuffer* buffer = evbuffer_new();
  evbuffer_add(buffer, bytes.data(), bytes.size());
  evhttp_send_reply_chunk_with_cb(
      request_, buffer,
      [](evhttp_connection*, void* self) {
        auto* stream = static_cast<HttpStream*>(self);
        stream->idle_ = true;
        stream->Changed();
      },
      this);
  evbuffer_free(buffer);
}

// A copy, since the callback may destroy the stream and so itself.
void HttpStream::Changed() {
  std::function<void()> change = change_;
  if (change) change();
}

// ---- an exchange

HttpExchange::HttpExchange(evhttp_request* request)
    : request_(request), parsed_(Parse(request)) {}

HttpExchange::~HttpExchange() {
  if (request_ != nullptr) Reply({.status = 500, .body = "no answer\n"});
}

void HttpExchange::SetHeaders(const HttpReply& reply) {
  evkeyvalq* headers = evhttp_request_get_output_headers(request_);
  evhttp_add_header(headers, "Content-Type", reply.type.c_str());
  for (const auto& [name, value] : reply.headers) {
    evhttp_add_header(headers, name.c_str(), value.c_str());
  }
}

void HttpExchange::Reply(const HttpReply& reply) {
  CHECK(request_ != nullptr);
  SetHeaders(reply);
  evbuffer* body = evbuffer_new();
  evbuffer_add(body, reply.body.data(), reply.body.size());
  evhttp_send_reply(std::exchange(request_, nullptr), reply.status, nullptr,
                    body);
  evbuffer_free(body);
}

std::unique_ptr<HttpStream> HttpExchange::Stream(const HttpReply& head) {
  CHECK(request_ != nullptr);
  SetHeaders(head);
  evhttp_send_reply_start(request_, head.status, nullptr);
  return std::unique_ptr<HttpStream>(
      new HttpStream(std::exchange(request_, nullptr)));
}

// ---- the server

HttpServer::HttpServer(Loop* loop, Handler handler, size_t max_body)
    : handler_(std::move(handler)), http_(evhttp_new(loop->base())) {
  evhttp_set_max_headers_size(http_.get(), kMaxHeaderBytes);
  evhttp_set_max_body_size(http_.get(), static_cast<ssize_t>(max_body));
  evhttp_set_timeout(http_.get(), kTimeoutSeconds);
  // It answers others with 501; whether a method is allowed is for the handler
  // to say, who knows the path.
  evhttp_set_allowed_methods(
      http_.get(), EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD |
                       EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
                       EVHTTP_REQ_PATCH);
  evhttp_set_gencb(http_.get(), &HttpServer::OnRequest, this);
}

HttpServer::~HttpServer() = default;

void HttpServer::Free::operator()(evhttp* http) const { evhttp_free(http); }

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::On(
    Loop* loop, const std::string& address, uint16_t port, Handler handler,
    size_t max_body) {
  std::unique_ptr<HttpServer> server(
      new HttpServer(loop, std::move(handler), max_body));
  std::string first = address.empty() ? "127.0.0.1" : address;
  if (!server->Bind(first.c_str(), port)) {
    return ErrnoStatus("listen", absl::StrFormat("%s:%d", first, port));
  }
  // Some machines have no IPv6; browsers then ask the other address.
  if (address.empty()) server->Bind("::1", server->port_);
  return server;
}

bool HttpServer::Bind(const char* address, uint16_t port) {
  evhttp_bound_socket* socket =
      evhttp_bind_socket_with_handle(http_.get(), address, port);
  if (socket == nullptr) return false;
  evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(socket),
                              OnAcceptError);
  sockaddr_in6 bound{};
  socklen_t size = sizeof(bound);
  getsockname(evhttp_bound_socket_get_fd(socket),
              reinterpret_cast<sockaddr*>(&bound), &size);
  // Both families have it at the same place (ip(7), ipv6(7)).
  port_ = ntohs(bound.sin6_port);
  return true;
}

void HttpServer::OnRequest(evhttp_request* request, void* self) {
  static_cast<HttpServer*>(self)->handler_(
      std::make_unique<HttpExchange>(request));
}

}  // namespace glasstty

#include "http/server.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <sys/queue.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "http/listening.h"
#include "support/check.h"
#include "support/status.h"

namespace glasstty::http {
namespace {

// The pause after a failure of accept(2). Without it, accept(2) would fail
// again and again while no descriptor is available.
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

Request Parse(evhttp_request* request) {
  Request parsed;
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

// Parses the header lines of a block, and ignores its other lines.
Request ParseHead(std::string_view head) {
  Request parsed;
  while (!head.empty()) {
    std::string line(head.substr(0, head.find('\n')));
    head.remove_prefix(std::min(head.size(), line.size() + 1));
    size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::string value = line.substr(colon + 1);
    absl::StripAsciiWhitespace(&value);
    parsed.headers[absl::AsciiStrToLower(line.substr(0, colon))] = value;
  }
  return parsed;
}

}  // namespace

std::string Request::Header(const std::string& name) const {
  auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

// ---- an open request

OpenRequest::OpenRequest(evhttp_request* request,
                         Connections::Connection* connection,
                         std::function<void()> gone)
    : request_(request), connection_(connection) {
  Expect(std::move(gone));
}

OpenRequest::OpenRequest(OpenRequest&& other, std::function<void()> gone)
    : request_(std::exchange(other.request_, nullptr)),
      connection_(other.connection_) {
  if (request_ != nullptr) Expect(std::move(gone));
}

OpenRequest::~OpenRequest() { CHECK(request_ == nullptr); }

// evhttp frees an unanswered request together with its connection. If evhttp
// has detached the request from the connection, this code must free it.
void OpenRequest::Expect(std::function<void()> gone) {
  connection_->BeginAnswer([this, gone = std::move(gone)] {
    evhttp_request* own = std::exchange(request_, nullptr);
    if (evhttp_request_get_connection(own) == nullptr) evhttp_request_free(own);
    gone();
  });
}

evhttp_request* OpenRequest::Finish() {
  if (request_ != nullptr) connection_->Answered();
  return std::exchange(request_, nullptr);
}

// ---- a stream

ResponseStream::ResponseStream(OpenRequest&& request)
    : request_(std::move(request), [this] { Changed(); }) {}

ResponseStream::~ResponseStream() {
  evhttp_request* request = request_.Finish();
  if (request != nullptr) evhttp_send_reply_end(request);
}

void ResponseStream::Send(std::string_view bytes) {
  if (closed() || bytes.empty()) return;
  idle_ = false;
  evbuffer* buffer = evbuffer_new();
  evbuffer_add(buffer, bytes.data(), bytes.size());
  evhttp_send_reply_chunk_with_cb(
      request_.get(), buffer,
      [](evhttp_connection*, void* self) {
        auto* stream = static_cast<ResponseStream*>(self);
        stream->idle_ = true;
        stream->Changed();
      },
      this);
  evbuffer_free(buffer);
}

// Calls a copy, because the callback may destroy the stream and with it the
// original function.
void ResponseStream::Changed() {
  std::function<void()> change = change_;
  if (change) change();
}

// ---- an exchange

Exchange::Exchange(evhttp_request* request, Connections::Connection* connection)
    : request_(request, connection,
               [this] {
                 // This is a copy, because the function may destroy the
                 // exchange, which owns the original.
                 std::function<void()> gone = gone_;
                 if (gone) gone();
               }),
      parsed_(Parse(request)) {}

Exchange::~Exchange() {
  if (!replied_) Reply({.status = 500, .body = "no answer\n"});
}

void Exchange::SetHeaders(const Response& reply) {
  evkeyvalq* headers = evhttp_request_get_output_headers(request_.get());
  evhttp_add_header(headers, "Content-Type", reply.type.c_str());
  for (const auto& [name, value] : reply.headers) {
    evhttp_add_header(headers, name.c_str(), value.c_str());
  }
}

void Exchange::Reply(const Response& reply) {
  CHECK(!std::exchange(replied_, true));
  if (request_.get() == nullptr) return;
  SetHeaders(reply);
  evbuffer* body = evbuffer_new();
  evbuffer_add(body, reply.body.data(), reply.body.size());
  evhttp_send_reply(request_.Finish(), reply.status, nullptr, body);
  evbuffer_free(body);
}

std::unique_ptr<ResponseStream> Exchange::Stream(const Response& head) {
  CHECK(!std::exchange(replied_, true));
  if (request_.get() != nullptr) {
    SetHeaders(head);
    evhttp_send_reply_start(request_.get(), head.status, nullptr);
  }
  return std::unique_ptr<ResponseStream>(
      new ResponseStream(std::move(request_)));
}

// ---- the server

Server::Server(Loop* loop, Handler handler, Limits limits)
    : handler_(std::move(handler)),
      limits_(std::move(limits)),
      connections_(
          loop, [this](std::string_view head) { return Judge(limits_, head); },
          TooLarge(limits_)),
      http_(evhttp_new(loop->base())) {
  connections_.Watch(http_.get());
  evhttp_set_max_headers_size(http_.get(), kMaxHeaderBytes);
  evhttp_set_max_body_size(http_.get(), static_cast<ssize_t>(std::max(
                                            limits_.max_body, kReadBytes)));
  evhttp_set_timeout(http_.get(), kTimeoutSeconds);
  // evhttp answers methods that are not listed here with 501. The handler must
  // decide about these, because the allowed methods depend on the path.
  evhttp_set_allowed_methods(
      http_.get(), EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD |
                       EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
                       EVHTTP_REQ_PATCH);
  evhttp_set_gencb(http_.get(), &Server::OnRequest, this);
}

Server::~Server() = default;

Connections::Verdict Server::Judge(const Limits& limits,
                                   std::string_view head) {
  Request parsed = ParseHead(head);
  uint64_t size = 0;
  bool is_too_large =
      absl::SimpleAtoi(parsed.Header("content-length"), &size) &&
      size > limits.max_body;
  return {.trusted = !limits.trusts || limits.trusts(parsed),
          .excess = is_too_large ? size : 0,
          .waits = !parsed.Header("expect").empty()};
}

std::string Server::TooLarge(const Limits& limits) {
  return absl::StrFormat("a request may have at most %d bytes\n",
                         limits.max_body);
}

void Server::Free::operator()(evhttp* http) const { evhttp_free(http); }

absl::StatusOr<std::unique_ptr<Server>> Server::On(Loop* loop,
                                                   const std::string& address,
                                                   uint16_t port,
                                                   Handler handler,
                                                   Limits limits) {
  std::unique_ptr<Server> server(
      new Server(loop, std::move(handler), std::move(limits)));
  ASSIGN_OR_RETURN(std::vector<UniqueFd> sockets, ListenOn(address, port));
  for (UniqueFd& socket : sockets) server->Serve(std::move(socket));
  return server;
}

void Server::Serve(UniqueFd socket) {
  port_ = PortOf(socket.get());
  // From here on, evhttp owns the socket.
  evhttp_bound_socket* bound =
      evhttp_accept_socket_with_handle(http_.get(), socket.Release());
  CHECK(bound != nullptr);
  evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(bound),
                              OnAcceptError);
}

void Server::OnRequest(evhttp_request* request, void* self) {
  auto* own = static_cast<Server*>(self);
  auto exchange =
      std::make_unique<Exchange>(request, own->connections_.Of(request));
  if (exchange->request().body.size() > own->limits_.max_body) {
    return exchange->Reply({.status = 413, .body = TooLarge(own->limits_)});
  }
  own->handler_(std::move(exchange));
}

}  // namespace glasstty::http

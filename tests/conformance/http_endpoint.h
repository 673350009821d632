// Streamable HTTP on one path, as far as the conformance suite needs it.
//
// Every POST is a connection of its own to the server, which lives as long as
// its response: what a request may know comes from its envelope (modern) or
// from its session (legacy, `Mcp-Session-Id`), and a client that goes away is a
// disconnect like any other. A response that begins with a notification is an
// event stream. Sessions hold what `initialize` said; a message that is no
// request goes to every open POST of its session, where a call may wait for it.
//
// Owns the listening socket. Borrows the loop and the server, which outlive it.
// Loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/request_context.h"
#include "mcp/server.h"
#include "support/loop.h"

struct evhttp;
struct evhttp_request;

namespace glasstty::testing {

class Exchange;

class HttpEndpoint {
 public:
  HttpEndpoint(Loop* loop, Server* server);
  ~HttpEndpoint();
  HttpEndpoint(const HttpEndpoint&) = delete;
  HttpEndpoint& operator=(const HttpEndpoint&) = delete;

  // On 127.0.0.1; 0: any port. Returns the port, or 0 when it cannot listen.
  int Listen(int port);

 private:
  friend class Exchange;
  // What an answer without a handler says.
  struct Refusal {
    int status = 0;  // 0: go on
    RpcError error;
    Json id;
  };

  static void OnRequest(evhttp_request* request, void* self);
  void Take(evhttp_request* request);
  void Post(evhttp_request* request);
  void OpenStream(evhttp_request* request);
  void EndSession(evhttp_request* request);
  bool IsLocal(evhttp_request* request) const;
  Refusal CheckModern(evhttp_request* request, const RpcMessage& message) const;
  Refusal CheckLegacy(evhttp_request* request, RequestContext* context) const;
  Refusal Check(evhttp_request* request, const RpcMessage& message,
                RequestContext* context) const;
  void Distribute(const std::string& session, std::string_view body);
  std::string BeginSession(const RequestContext& context);
  void Remove(Exchange* exchange);

  // Borrowed.
  Loop* const loop_;
  Server* const server_;
  // Owned.
  struct FreeHttp {
    void operator()(evhttp* http) const;
  };
  std::unique_ptr<evhttp, FreeHttp> http_;
  // State.
  int port_ = 0;
  uint64_t last_session_ = 0;
  std::map<std::string, RequestContext> sessions_;
  std::map<Exchange*, std::unique_ptr<Exchange>> exchanges_;
};

}  // namespace glasstty::testing

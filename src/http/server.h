// An HTTP/1.1 server for programs and pages of this machine.
//
// libevent's evhttp parses requests and keeps connections. This adds what it
// lacks: requests as values, limits, replies that may be sent later, and
// streams that report when the client has received what was sent. Routes and
// access control are up to its handler (guard.h).
//
// Lives on the loop's thread and must die before the loop; every exchange and
// stream that it gave away must die before it. The process must ignore SIGPIPE:
// evhttp writes to clients that have gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "http/connections.h"
#include "support/loop.h"

struct evhttp;
struct evhttp_request;

namespace glasstty::http {

struct Request {
  std::string method;  // "GET", "POST" ...
  // Decoded once, without the query.
  std::string path;
  std::map<std::string, std::string> query;
  std::string body;
  // "" for headers that are not there. Names in lower case.
  std::map<std::string, std::string> headers;

  std::string Header(const std::string& name) const;
};

struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

// A request that evhttp has handed over, until it is answered or its client has
// gone.
class OpenRequest {
 public:
  // `gone` is called when the client goes.
  OpenRequest(evhttp_request* request, Connections::Connection* connection,
              std::function<void()> gone);
  OpenRequest(OpenRequest&& other, std::function<void()> gone);
  ~OpenRequest();
  OpenRequest(const OpenRequest&) = delete;
  OpenRequest& operator=(const OpenRequest&) = delete;

  // Null: answered, or gone.
  evhttp_request* get() const { return request_; }
  // What the caller sends now is the end of the answer.
  evhttp_request* Finish();

 private:
  void Expect(std::function<void()> gone);

  evhttp_request* request_;
  Connections::Connection* connection_;
};

// A reply that goes on until either side ends it. The destructor ends it.
class ResponseStream {
 public:
  ~ResponseStream();
  ResponseStream(const ResponseStream&) = delete;
  ResponseStream& operator=(const ResponseStream&) = delete;

  // Nothing that was sent waits for the client any more.
  bool idle() const { return idle_; }
  // The client has gone; what is sent is thrown away.
  bool closed() const { return request_.get() == nullptr; }
  void Send(std::string_view bytes);
  // Called when it becomes idle or closed. May destroy the stream.
  void OnChange(std::function<void()> change) { change_ = std::move(change); }

 private:
  friend class Exchange;
  explicit ResponseStream(OpenRequest&& request);
  void Changed();

  OpenRequest request_;
  bool idle_ = true;
  std::function<void()> change_;
};

// One request, to be answered once. Unanswered, it is a 500.
class Exchange {
 public:
  Exchange(evhttp_request* request, Connections::Connection* connection);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  const Request& request() const { return parsed_; }
  // Called when the client goes before it is answered; what is replied then is
  // thrown away. May destroy the exchange.
  void OnGone(std::function<void()> gone) { gone_ = std::move(gone); }
  void Reply(const Response& reply);
  // `head`: its status, type and headers; the body comes in pieces.
  std::unique_ptr<ResponseStream> Stream(const Response& head);

 private:
  void SetHeaders(const Response& reply);

  OpenRequest request_;
  bool replied_ = false;
  std::function<void()> gone_;
  Request parsed_;
};

// What a server takes; connections.h has what holds for all.
struct Limits {
  size_t max_body = 1 << 20;  // bytes, of a request
  // Whether who sends a request with these headers (nothing else is set) may
  // have a body of more than Connections::kStrangersBytes. Null: everybody.
  std::function<bool(const Request& head)> trusts;
};

class Server {
 public:
  using Handler = std::function<void(std::unique_ptr<Exchange>)>;

  static constexpr int kMaxHeaderBytes = 16 << 10;
  // Without a byte in either direction.
  static constexpr int kTimeoutSeconds = 60;

  // Listens on `address`; "": on 127.0.0.1 and, where the machine has it, on
  // ::1. `port` 0: one that is free. Error: why it cannot listen there.
  static absl::StatusOr<std::unique_ptr<Server>> On(Loop* loop,
                                                    const std::string& address,
                                                    uint16_t port,
                                                    Handler handler,
                                                    Limits limits = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const { return port_; }

 private:
  Server(Loop* loop, Handler handler, Limits limits);
  bool Bind(const char* address, uint16_t port);
  static void OnRequest(evhttp_request* request, void* self);

  struct Free {
    void operator()(evhttp* http) const;
  };
  const Handler handler_;
  Connections connections_;
  std::unique_ptr<evhttp, Free> http_;
  uint16_t port_ = 0;
};

}  // namespace glasstty::http

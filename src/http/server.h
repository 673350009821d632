// An HTTP/1.1 server for programs and pages of this machine.
//
// libevent's evhttp parses and keeps connections; this adds what it lacks:
// requests as values, bounds, replies that may come later, and streams that
// tell when the client has taken what was sent. Knows no routes and judges
// nobody: that is its handler's work (guard.h).
//
// Lives on the loop's thread and must die before the loop; every exchange and
// stream that it gave away must die before it.
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
#include "support/loop.h"

struct evhttp;
struct evhttp_request;

namespace glasstty {

struct HttpRequest {
  std::string method;  // "GET", "POST" ...
  // Decoded once, without the query.
  std::string path;
  std::map<std::string, std::string> query;
  std::string body;
  // "" for headers that are not there. Names in lower case.
  std::map<std::string, std::string> headers;

  std::string Header(const std::string& name) const;
};

struct HttpReply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

// A reply that goes on until either side ends it. The destructor ends it.
class HttpStream {
 public:
  ~HttpStream();
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;

  // Nothing that was sent waits for the client any more.
  bool idle() const { return idle_; }
  // The client has gone; what is sent is thrown away.
  bool closed() const { return request_ == nullptr; }
  void Send(std::string_view bytes);
  // Called when it becomes idle or closed. May destroy the stream.
  void OnChange(std::function<void()> change) { change_ = std::move(change); }

 private:
  friend class HttpExchange;
  explicit HttpStream(evhttp_request* request);
  void Changed();

  evhttp_request* request_;  // null: closed
  bool idle_ = true;
  std::function<void()> change_;
};

// One request, to be answered once. Unanswered, it is a 500.
class HttpExchange {
 public:
  explicit HttpExchange(evhttp_request* request);
  ~HttpExchange();
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  const HttpRequest& request() const { return parsed_; }
  void Reply(const HttpReply& reply);
  // `head`: its status, type and headers; the body comes in pieces.
  std::unique_ptr<HttpStream> Stream(const HttpReply& head);

 private:
  void SetHeaders(const HttpReply& reply);

  evhttp_request* request_;  // null: answered
  HttpRequest parsed_;
};

class HttpServer {
 public:
  using Handler = std::function<void(std::unique_ptr<HttpExchange>)>;

  // Limits for each request and connection.
  static constexpr int kMaxHeaderBytes = 16 << 10;
  static constexpr size_t kMaxBodyBytes = 1 << 20;
  static constexpr int kTimeoutSeconds = 60;

  // Listens on `address`; "": on 127.0.0.1 and, where the machine has it, on
  // ::1. `port` 0: one that is free. `max_body`: bytes of a request's body.
  // Error: why it cannot listen there.
  static absl::StatusOr<std::unique_ptr<HttpServer>> On(
      Loop* loop, const std::string& address, uint16_t port, Handler handler,
      size_t max_body = kMaxBodyBytes);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  uint16_t port() const { return port_; }

 private:
  HttpServer(Loop* loop, Handler handler, size_t max_body);
  bool Bind(const char* address, uint16_t port);
  static void OnRequest(evhttp_request* request, void* self);

  struct Free {
    void operator()(evhttp* http) const;
  };
  const Handler handler_;
  std::unique_ptr<evhttp, Free> http_;
  uint16_t port_ = 0;
};

}  // namespace glasstty

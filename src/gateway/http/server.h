// An HTTP/1.1 server for programs and pages of this machine.
//
// libevent's evhttp parses requests and manages connections. This file adds
// requests as values, limits, replies that may be sent later, and streams that
// report when everything has been written to the socket. The handler is
// responsible for routes and access control (guard.h).
//
// Loop thread only. A server must be destroyed before the loop, and after every
// exchange and stream that it has created. The process must ignore SIGPIPE,
// because evhttp writes to clients that have disconnected.
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
#include "base/fd.h"
#include "http/connections.h"
#include "support/loop.h"

struct evhttp;
struct evhttp_request;

namespace glasstty::http {

struct Request {
  std::string method;  // "GET", "POST" ...
  // Percent-decoded once, without the query.
  std::string path;
  std::map<std::string, std::string> query;
  std::string body;
  // The headers by lower-case name. Header returns "" for a missing one.
  std::map<std::string, std::string> headers;

  std::string Header(const std::string& name) const;
};

struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

// A request that a handler has got from evhttp, until the request is answered
// or the client has disconnected.
class OpenRequest {
 public:
  // `gone` is called if the client disconnects.
  OpenRequest(evhttp_request* request, Connections::Connection* connection,
              std::function<void()> gone);
  OpenRequest(OpenRequest&& other, std::function<void()> gone);
  ~OpenRequest();
  OpenRequest(const OpenRequest&) = delete;
  OpenRequest& operator=(const OpenRequest&) = delete;

  // Returns null if the request was answered, or the client has disconnected.
  evhttp_request* get() const { return request_; }
  // Gives up the request; the caller must then end its answer.
  evhttp_request* Finish();

 private:
  void Expect(std::function<void()> gone);

  evhttp_request* request_;
  Connections::Connection* connection_;
};

// A reply that continues until either side ends it. The destructor ends it.
class ResponseStream {
 public:
  ~ResponseStream();
  ResponseStream(const ResponseStream&) = delete;
  ResponseStream& operator=(const ResponseStream&) = delete;

  // Returns true if everything that was sent has been written to the socket.
  bool idle() const { return idle_; }
  // Returns true if the client has disconnected; further bytes are discarded.
  bool closed() const { return request_.get() == nullptr; }
  void Send(std::string_view bytes);
  // Sets a function that is called when the stream becomes idle or closed. The
  // function may destroy the stream.
  void OnChange(std::function<void()> change) { change_ = std::move(change); }

 private:
  friend class Exchange;
  explicit ResponseStream(OpenRequest&& request);
  void Changed();

  OpenRequest request_;
  bool idle_ = true;
  std::function<void()> change_;
};

// A request that must be answered exactly once. If the exchange is destroyed
// without an answer, the answer is 500.
class Exchange {
 public:
  Exchange(evhttp_request* request, Connections::Connection* connection);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  const Request& request() const { return parsed_; }
  // Sets a function that is called if the client disconnects before the answer.
  // The function may destroy the exchange. Later replies are discarded.
  void OnGone(std::function<void()> gone) { gone_ = std::move(gone); }
  void Reply(const Response& reply);
  // Starts a stream with the status, type and headers of `head`; the body is
  // sent in pieces.
  std::unique_ptr<ResponseStream> Stream(const Response& head);

 private:
  void SetHeaders(const Response& reply);

  OpenRequest request_;
  bool replied_ = false;
  std::function<void()> gone_;
  Request parsed_;
};

// The limits of one server. The limits in connections.h are the same for all
// servers.
struct Limits {
  // The maximum size of a body. A larger body is read and dropped, so that the
  // client gets the error; a body in chunks is read up to kReadBytes.
  size_t max_body = 1 << 20;
  // Returns true if the sender of a request with these headers (nothing else is
  // set) may send more than Connections::kStrangersBytes in it. A null function
  // allows this to everybody.
  std::function<bool(const Request& head)> trusts;
};

class Server {
 public:
  using Handler = std::function<void(std::unique_ptr<Exchange>)>;

  static constexpr int kMaxHeaderBytes = 16 << 10;
  // The size limit for a body in chunks, whose size is unknown until its end.
  static constexpr size_t kReadBytes = 32 << 20;
  // A connection ends after this time without a byte in either direction, but
  // not while the client waits for an answer.
  static constexpr int kTimeoutSeconds = 60;

  // Listens as ListenOn does (listening.h), and returns its error.
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
  void Serve(UniqueFd socket);
  static void OnRequest(evhttp_request* request, void* self);

  struct Free {
    void operator()(evhttp* http) const;
  };
  static Connections::Verdict Judge(const Limits& limits,
                                    std::string_view head);
  static std::string TooLarge(const Limits& limits);

  const Handler handler_;
  const Limits limits_;
  Connections connections_;
  std::unique_ptr<evhttp, Free> http_;
  uint16_t port_ = 0;
};

}  // namespace glasstty::http

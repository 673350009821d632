// Limits the connections of an HTTP server, and what each may send.
//
// evhttp itself limits the size of a header block and of a body, and how long a
// connection may be silent. It does not limit the number of connections, the
// total time of a request that trickles in, large bodies from clients that the
// handler would refuse, or bytes that arrive while an answer is pending. These
// are limited here, before evhttp sees them. This also notices when the client
// of an unanswered request disconnects, which evhttp does not.
//
// Owns its records, each of which lasts as long as evhttp's connection. Lives
// on the loop's thread; must be destroyed before the loop and after evhttp.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "support/loop.h"

struct bufferevent;
struct evbuffer;
struct evbuffer_cb_info;
struct event_base;
struct evhttp;
struct evhttp_connection;
struct evhttp_request;

namespace glasstty::http {

class Connections {
 public:
  // One more ends the one that has been idle, or has trickled, for longest.
  static constexpr size_t kMost = 512;
  // From the first byte of a request, or from the connection's begin.
  static constexpr Duration kHeadTime = std::chrono::seconds(10);
  static constexpr Duration kRequestTime = std::chrono::seconds(60);
  // Of a request whose head says nothing that its sender is trusted for.
  static constexpr size_t kStrangersBytes = 32 << 10;
  // What comes while an answer is awaited.
  static constexpr size_t kPipelinedBytes = 4 << 20;
  // Of all requests that are not whole yet.
  static constexpr size_t kAllBytes = 64 << 20;

  // Judges a header block as it came, without the blank line.
  using Trusts = std::function<bool(std::string_view head)>;

  // One connection. Its address is stable.
  class Connection;

  Connections(Loop* loop, Trusts trusts);
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  // All of its connections from now on are watched.
  void Watch(evhttp* http);

  // The connection of a request that has come whole and is answered next.
  Connection* Of(evhttp_request* request);

 private:
  static bufferevent* OnAccept(event_base* base, void* self);
  static void OnBytes(evbuffer* buffer, const evbuffer_cb_info* info,
                      void* connection);
  static void OnClose(evhttp_connection* http, void* connection);

  // evhttp has said which of its connections the new ones are.
  void Adopt();
  void MakeRoom();
  void Take(Connection* connection, std::string_view bytes);
  // Ends the connections whose time is over.
  void Look();

  Loop* const loop_;     // borrowed
  const Trusts trusts_;  // owned, as all below
  std::list<Connection> connections_;
  size_t unfinished_ = 0;  // bytes of requests that are not whole yet
  Timer adopt_;
  Timer look_;
};

class Connections::Connection {
 public:
  Connection(Connections* owner, bufferevent* stream);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // `gone` is called once, when the client closes before Answered. The request
  // is no longer evhttp's by then, but its handler's.
  void BeginAnswer(std::function<void()> gone);
  void Answered();

 private:
  friend class Connections;

  // A request begins, of which these bytes are there.
  void Begin(std::string_view bytes);
  void AddToHead(std::string_view bytes);
  void Count(size_t bytes);
  Time deadline() const;
  // Says why, in words of HTTP, and hangs up.
  void End(const char* status);

  Connections* const owner_;  // borrowed
  bufferevent* const stream_;
  evhttp_connection* http_ = nullptr;  // once it is known
  // Of the request that comes in.
  Time since_;
  std::string head_;
  bool head_is_whole_ = false;
  bool trusted_ = false;
  // Received and not answered yet.
  size_t bytes_ = 0;
  // Of the one that is answered.
  bool answering_ = false;
  std::function<void()> gone_;
  bool was_used_ = false;  // for a request
  bool ended_ = false;     // by us; evhttp will notice
};

}  // namespace glasstty::http

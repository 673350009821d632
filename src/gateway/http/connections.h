// Limits the connections of an HTTP server, and the data that each may send.
//
// evhttp itself limits the size of a header block and of a body, and how long a
// connection may be silent. It does not limit the number of connections, the
// total time of a request that trickles in, large bodies from clients that the
// handler would refuse, or bytes that arrive while an answer is pending. This
// class limits these before evhttp gets them. It also notices when the client
// of an unanswered request disconnects, which evhttp does not.
//
// Owns its records, each of which lasts as long as evhttp's connection. Loop
// thread only; must be destroyed before the loop and after evhttp.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
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
  // Beyond this number, a new connection ends the one that has been idle, or
  // has received the same request, for the longest time.
  static constexpr size_t kMost = 512;
  // The time limits for a header block and for a whole request, from the first
  // byte of the request or the start of the connection.
  static constexpr Duration kHeadTime = std::chrono::seconds(10);
  static constexpr Duration kRequestTime = std::chrono::seconds(60);
  // The limit for a request whose head does not prove that its sender is
  // trusted.
  static constexpr size_t kStrangersBytes = 32 << 10;
  // The limit for bytes that arrive while an answer is pending.
  static constexpr size_t kPipelinedBytes = 4 << 20;
  // The limit for all incomplete requests together.
  static constexpr size_t kAllBytes = 64 << 20;

  // The judgement of a request by its header block.
  struct Verdict {
    bool trusted = true;
    // The size of a body that is too large, or 0. Such a body is read and
    // dropped, because a client that is still sending would miss an answer.
    uint64_t excess = 0;
    // True if the client sends the body only after a 100 Continue.
    bool waits = false;
  };
  // Judges a header block in its original form, without the blank line.
  using Judge = std::function<Verdict(std::string_view head)>;

  // A connection, whose address is stable.
  class Connection;

  // `too_large` is the body of the answer to requests that are too large.
  Connections(Loop* loop, Judge judge, std::string too_large);
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  // Watches all future connections of `http`.
  void Watch(evhttp* http);

  // Returns the connection of `request`, which must be complete and unanswered.
  Connection* Of(evhttp_request* request);

 private:
  static bufferevent* OnAccept(event_base* base, void* self);
  static void OnBytes(evbuffer* buffer, const evbuffer_cb_info* info,
                      void* connection);
  static void OnClose(evhttp_connection* http, void* connection);

  // Finds the evhttp_connection of each new Connection.
  void Adopt();
  void MakeRoom();
  void Take(Connection* connection, std::string_view bytes);
  // Ends the connections that have exceeded a time limit.
  void Look();

  Loop* const loop_;   // borrowed
  const Judge judge_;  // owned, like all members below
  const std::string too_large_;
  std::list<Connection> connections_;
  size_t unfinished_ = 0;  // bytes of incomplete requests
  Timer adopt_;
  Timer look_;
};

class Connections::Connection {
 public:
  Connection(Connections* owner, bufferevent* stream);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Call when a handler gets the request. `gone` is called at most once, if the
  // client disconnects before Answered. `gone` must free the request if evhttp
  // has detached it from the connection.
  void BeginAnswer(std::function<void()> gone);
  void Answered();

 private:
  friend class Connections;

  // Starts a request with the bytes that have arrived.
  void Begin(std::string_view bytes);
  void AddToHead(std::string_view bytes);
  void Count(size_t bytes);
  Time deadline() const;
  // Drops bytes of a body that is too large.
  void Drop(size_t bytes);
  // Sends an HTTP status, unless it is null, and disconnects.
  void End(const char* status);

  Connections* const owner_;  // borrowed
  bufferevent* const stream_;
  evhttp_connection* http_ = nullptr;  // null until Adopt
  // The request that is being received.
  Time since_;
  std::string head_;
  bool head_is_whole_ = false;
  bool trusted_ = false;
  // True if the body is too large; `to_drop_` bytes of it have yet to arrive.
  bool dropping_ = false;
  uint64_t to_drop_ = 0;
  // The number of received bytes after the last request that a handler got.
  size_t bytes_ = 0;
  // The request that is being answered.
  bool answering_ = false;
  std::function<void()> gone_;
  bool was_used_ = false;  // the connection has carried a request
  bool ended_ = false;     // End has shut the socket down
};

}  // namespace glasstty::http

// Serves MCP over Streamable HTTP on one path, on behalf of the shared server.
//
// Checks each request in this order: path, Host and Origin, token, method,
// content type, JSON, message, headers against the message. Each request, batch
// with requests, and listening GET gets its own connection to the shared server
// (post.h). The connection begins with the client's name, so that all
// connections of a client share one record of the output that it has read. A
// legacy client (mcp::Era) that sends `initialize` gets an MCP session, which
// keeps the negotiated settings; modern clients repeat these in each request.
//
// Streams cannot be resumed, because events have no ids. A client can read
// missed output again from the terminal session.
//
// Owns the clients and the requests in progress. Borrows the loop, which must
// outlive it. At the end, call Close, then destroy the HTTP server whose
// requests it handles, then this object. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "bridge/headers.h"
#include "http/server.h"
#include "mcp/jsonrpc.h"
#include "support/loop.h"

namespace glasstty::bridge {

class Post;

// The client that has sent a request. Its requests in progress keep it alive,
// and so does its session, if it has one.
struct HttpClient {
  // The maximum number of agreements that are kept. The server allows 64
  // subscriptions, and there are a few other settings.
  static constexpr size_t kMostAgreements = 80;
  // A line that is repeated on each connection. A later line with the same
  // subject replaces it.
  struct Agreement {
    std::string subject;
    std::string line;
  };

  std::string name;  // the name under which the server keeps its state
  // For a legacy client: the lines that follow the introduction on each
  // connection. Requests among them have the id kAgreedId; their answers are
  // ignored.
  std::vector<Agreement> agreements;
  // The time when the client's last request ended.
  Time quiet_since{};
};
inline constexpr char kAgreedId[] = "glasstty-agreed";

struct EndpointOptions {
  std::string token;  // "": no token is required
  // An address of this machine that Host and Origin may name, in addition to
  // those of the loopback interface; "": none.
  std::string address;
  // The directory in which the programs of clients over HTTP start.
  std::string directory;
  // A session ends after this time without a request or a stream; zero: never.
  Duration silence{};
};

class Endpoint {
 public:
  static constexpr size_t kMostRequests = 128;  // the maximum in progress
  static constexpr size_t kMostSessions = 256;
  // The maximum number of sessions with neither a request nor a stream. Clients
  // that make one call and end leave such sessions behind, and each may have
  // opened a terminal.
  static constexpr size_t kMostSilent = 32;
  // The limit equals that for a line to the server (mcp/framing.h).
  static constexpr size_t kMaxBody = 4 << 20;

  // Returns a connected socket to the shared server, or an invalid descriptor.
  // Starts a server if there is none and `starts` is true.
  using Connect = std::function<UniqueFd(bool starts)>;

  Endpoint(Loop* loop, EndpointOptions options, Connect connect);
  ~Endpoint();
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  void SetPort(uint16_t port) { port_ = port; }
  void Handle(std::unique_ptr<http::Exchange> exchange);
  // Returns true if the request carries the token, or if no token is required.
  bool MayAsk(const http::Request& request) const;
  // Ends all requests in progress.
  void Close();

 private:
  friend class Post;
  using ClientRef = std::shared_ptr<HttpClient>;

  bool IsOurs(const http::Request& request) const;
  void TakePost(std::unique_ptr<http::Exchange> exchange);
  void TakeBatch(std::unique_ptr<http::Exchange> exchange, const Json& batch,
                 const std::string& line);
  void TakeMessage(std::unique_ptr<http::Exchange> exchange,
                   mcp::RpcMessage message, const std::string& line);
  void TakeOther(const http::Request& request, const mcp::RpcMessage& message,
                 const std::string& line);
  // Opens a lasting stream for messages that the server sends without a request
  // (legacy).
  void Listen(std::unique_ptr<http::Exchange> exchange, ClientRef client);
  // Ends a session, and closes the terminals that its client has opened.
  void EndSession(const std::string& id);
  void EndSilentSessions();
  void SetSilenceTimer();
  bool IsBusy(const ClientRef& client) const;
  std::string LeastUsed() const;

  // Returns null if there is no such session.
  ClientRef SessionOf(const http::Request& request) const;
  // Returns true for a request of a session that no longer exists. Answer it
  // with 404; then the client begins another one (MCP, "Session Management").
  bool NamesEndedSession(const http::Request& request) const;
  bool HasSession(const ClientRef& client) const;
  ClientRef ClientFor(const http::Request& request,
                      const mcp::RpcMessage& message, mcp::Era era);
  // Returns null, after answering the exchange with an error, if there is no
  // server or if there are too many requests.
  Post* Begin(std::unique_ptr<http::Exchange> exchange, ClientRef client,
              mcp::Era era);

  // ---- for Post

  // Call when `post` has received its answer. Keeps an agreed setting for the
  // client's later connections.
  void Agreed(Post* post, const Json& answer);
  // Creates the session of a client that has sent `initialize`; returns its id.
  std::string BeginSession(Post* post);
  // Registers a request that the server sends to the client, which answers in
  // another POST. Returns an id for it that no other client can guess.
  std::string Ask(Post* post, const Json& id);
  // Call when the server has cancelled such a request. Returns the id that Ask
  // has given it, or `id` if there is none.
  Json TakeBack(const Post* post, const Json& id);
  bool HasAsked(const Post* post) const;
  // Marks the post as finished. It is destroyed in the next turn of the loop,
  // because one of its functions is still running.
  void Remove(Post* post);
  void Sweep();

  // Borrowed.
  Loop* const loop_;
  // Owned.
  const EndpointOptions options_;
  const Connect connect_;
  uint16_t port_ = 0;
  std::list<std::unique_ptr<Post>> posts_;
  std::set<const Post*>
      over_;  // finished; destroyed in the next turn of the loop
  Timer sweep_timer_;
  Timer silence_timer_;
  std::map<std::string, ClientRef> sessions_;  // by id
  std::list<std::string> session_order_;       // least recently used first
  std::map<std::string, std::pair<Post*, Json>> asked_;  // by the id from Ask
  uint64_t last_client_ = 0;
};

}  // namespace glasstty::bridge

// MCP over Streamable HTTP on one path, for the shared server behind it.
//
// Checks each request in this order: path, Host and Origin, token, method,
// content type, JSON, message, headers against the message. Each POST gets its
// own connection to the shared server (post.h), which is told the client's
// name, so that all connections of a client share one record of what it has
// read. Legacy clients get a session, which keeps what they negotiated; modern
// clients repeat it in each request.
//
// Owns the clients and the requests in progress. Borrows the loop, which must
// outlive it. Must outlive the HTTP server whose requests it handles, and must
// be closed before that server is destroyed. Loop thread only.
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

// Whom a request is for. Kept alive by its requests.
struct HttpClient {
  std::string name;  // as the server knows it
  // Of a legacy client: the lines that each connection begins with, whose
  // answers nobody waits for. Their ids are kAgreedId.
  std::vector<std::string> agreements;
};
inline constexpr char kAgreedId[] = "glasstty-agreed";

struct EndpointOptions {
  std::string token;  // "": no token is required
  // The name that clients use beside those of the loopback interface: an
  // address of this machine; "" for none.
  std::string address;
  // Where programs of clients that come from elsewhere start.
  std::string directory;
};

class Endpoint {
 public:
  static constexpr size_t kMostRequests = 128;  // under way
  static constexpr size_t kMostSessions = 256;
  // As long as the server's lines (mcp/framing.h).
  static constexpr size_t kMaxBody = 4 << 20;

  // A connected socket to the shared server; invalid when there is none.
  using Connect = std::function<UniqueFd()>;

  Endpoint(Loop* loop, EndpointOptions options, Connect connect);
  ~Endpoint();
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  void SetPort(uint16_t port) { port_ = port; }
  void Handle(std::unique_ptr<http::Exchange> exchange);
  // Whether these headers have the token.
  bool MayAsk(const http::Request& request) const;
  // Ends all requests that are under way.
  void Close();

 private:
  friend class Post;
  using ClientRef = std::shared_ptr<HttpClient>;

  bool IsOurs(const http::Request& request) const;
  void TakePost(std::unique_ptr<http::Exchange> exchange);
  void TakeMessage(std::unique_ptr<http::Exchange> exchange,
                   mcp::RpcMessage message, std::string line);
  void TakeOther(const http::Request& request, const mcp::RpcMessage& message);
  // A lasting stream for what the server says of its own accord (legacy).
  void Listen(std::unique_ptr<http::Exchange> exchange, ClientRef client);
  void EndSession(const std::string& id);
  std::string LeastUsed() const;

  // Null: no such session.
  ClientRef SessionOf(const http::Request& request) const;
  bool HasSession(const ClientRef& client) const;
  ClientRef ClientFor(const http::Request& request,
                      const mcp::RpcMessage& message, mcp::Era era);
  // Null, and the exchange is answered: there is no server, or too much to do.
  Post* Begin(std::unique_ptr<http::Exchange> exchange, ClientRef client,
              mcp::Era era);

  // ---- for Post

  // Its answer has come: sessions remember what was agreed on.
  void Agreed(Post* post, const Json& answer);
  // The session of a client that has introduced itself; its id.
  std::string BeginSession(Post* post);
  // A request of the server to the client, which answers by another POST. The
  // id under which it does, which no other client can guess.
  std::string Ask(Post* post, const Json& id);
  // The server no longer wants to know. -> our id of that question, as it is
  // when there is none
  Json TakeBack(const Post* post, const Json& id);
  bool HasAsked(const Post* post) const;
  // It goes from the loop, for it is in the middle of a call.
  void Remove(Post* post);
  void Sweep();

  // Borrowed.
  Loop* const loop_;
  // Owned.
  const EndpointOptions options_;
  const Connect connect_;
  uint16_t port_ = 0;
  std::list<std::unique_ptr<Post>> posts_;
  std::set<const Post*> over_;  // of these, until the next turn of the loop
  Timer sweep_timer_;
  std::map<std::string, ClientRef> sessions_;            // by id
  std::list<std::string> session_order_;                 // the least used first
  std::map<std::string, std::pair<Post*, Json>> asked_;  // by our id
  uint64_t last_client_ = 0;
};

}  // namespace glasstty::bridge

// Handles one request over HTTP, from the message to its answer, on a separate
// connection to the shared server.
//
// A quick answer is sent as JSON. If it takes a while, or other messages
// precede it, a client that accepts events gets a stream: progress, requests of
// the server, the answer. If the client closes the stream, the Post also closes
// the connection to the server, which cancels the request.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bridge/endpoint.h"
#include "bridge/upstream.h"
#include "http/server.h"
#include "mcp/eras.h"
#include "support/json.h"
#include "support/loop.h"

namespace glasstty::bridge {

class Post {
 public:
  Post(Endpoint* endpoint, std::unique_ptr<http::Exchange> exchange,
       std::shared_ptr<HttpClient> client, mcp::Era era, UniqueFd server);
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;

  // Sends `message`, whose JSON is `line`.
  void Send(mcp::RpcMessage message, std::string_view line);
  // Sends an array of messages (revision 2025-03-26).
  void SendBatch(std::string_view line);
  // Sends no request, but only passes on messages of the server.
  void Listen();
  // Sends another line of the client: an answer to a request of the server, or
  // a changed setting.
  void Tell(std::string_view line);
  // Call when the client has cancelled this request by a notification, or when
  // its session has ended.
  void Cancel();

  const std::shared_ptr<HttpClient>& client() const { return client_; }
  // Returns the request, which is empty for a batch and after Listen.
  const mcp::RpcMessage& message() const { return message_; }
  bool listens() const { return listens_; }

 private:
  void Join(UniqueFd server);
  // Sends a request, and keeps it for RequestAgain.
  void Request(std::string_view line);
  void TakeLine(const std::string& line);
  void Translate(Json* message);
  void Decline(const Json& message);
  void TakeAnswer(const Json& answer, const std::string& line);
  void Lost(bool was_read);
  bool RequestAgain();
  void StreamEvent(const std::string& line);
  bool BeginStream();
  void Tick();
  void End();

  Endpoint* const endpoint_;                      // borrowed
  std::unique_ptr<http::Exchange> exchange_;      // null once it is answered
  std::unique_ptr<http::ResponseStream> stream_;  // null until the stream
                                                  // begins
  const std::shared_ptr<HttpClient> client_;
  const mcp::Era era_;
  mcp::RpcMessage message_;
  std::string line_;  // the request; "" once another line was sent after it
  int losses_ = 0;
  std::unique_ptr<Upstream> server_;
  Timer timer_;
  bool listens_ = false;
  bool cancelled_ = false;
  bool was_polite_ = false;  // the server announced its end
  bool over_ = false;
};

}  // namespace glasstty::bridge

#include "bridge/post.h"

#include <chrono>
#include <utility>

#include "support/status.h"
#include "wire/introduction.h"
#include "wire/shared_server.h"

namespace glasstty::bridge {
namespace {

// An answer that takes longer is sent as a stream, because only a stream
// reveals that the client has disconnected.
constexpr Duration kQuick = std::chrono::milliseconds(250);
// The interval between pings, because proxies and clients end a stream that is
// silent for minutes.
constexpr Duration kPing = std::chrono::seconds(15);

// The maximum number of servers that may end before they have read the request.
constexpr int kMostLosses = 8;

}  // namespace

Post::Post(Endpoint* endpoint, std::unique_ptr<http::Exchange> exchange,
           std::shared_ptr<HttpClient> client, mcp::Era era, UniqueFd server)
    : endpoint_(endpoint),
      exchange_(std::move(exchange)),
      client_(std::move(client)),
      era_(era),
      timer_(endpoint->loop_, [this] { Tick(); }) {
  exchange_->OnGone([this] { End(); });
  Join(std::move(server));
}

void Post::Join(UniqueFd server) {
  server_ = std::make_unique<Upstream>(
      endpoint_->loop_, std::move(server),
      Upstream::Events{[this](const std::string& line) { TakeLine(line); },
                       [this](bool was_read) { Lost(was_read); }});
  std::string who =
      wire::IntroductionLine(endpoint_->options_.directory, client_->name);
  who.pop_back();  // the newline
  server_->Send(who);
  for (const auto& [subject, line] : client_->agreements) server_->Send(line);
}

void Post::Send(mcp::RpcMessage message, std::string_view line) {
  message_ = std::move(message);
  Request(line);
  timer_.SetAfter(kQuick);
}

void Post::SendBatch(std::string_view line) {
  Request(line);
  timer_.SetAfter(kQuick);
}

void Post::Request(std::string_view line) {
  line_ = line;
  server_->Send(line_);
}

void Post::Tell(std::string_view line) {
  line_.clear();
  server_->Send(line);
}

void Post::Listen() {
  listens_ = true;
  BeginStream();
  timer_.SetAfter(kPing);
}

// The server also cancels its own requests to the client. TakeLine ends the
// Post after the last of them, or after the answer to the ping.
void Post::Cancel() {
  if (over_ || std::exchange(cancelled_, true)) return;
  Tell(DumpJson(mcp::MakeNotification("notifications/cancelled",
                                      {{"requestId", message_.id}})));
  Tell(DumpJson(
      Json{{"jsonrpc", "2.0"}, {"id", kAgreedId}, {"method", "ping"}}));
}

// ---- from the server

void Post::TakeLine(const std::string& line) {
  if (line == wire::kClosingLine) was_polite_ = true;
  if (over_ || line == wire::kClosingLine) return;
  auto message = ParseJson(line);
  if (!message.ok()) return;
  const Json* id = FindMember(*message, "id");
  if (FindMember(*message, "method") == nullptr) {
    bool is_agreed = id != nullptr && *id == kAgreedId;
    if (!is_agreed) return TakeAnswer(*message, line);
  } else if (!BeginStream()) {
    Decline(*message);
  } else {
    Translate(&*message);
    StreamEvent(DumpJson(*message));
  }
  if (cancelled_ && !endpoint_->HasAsked(this)) End();
}

// Answers a request of the server with an error, because the client accepts no
// events and so cannot get the request.
void Post::Decline(const Json& message) {
  if (!message.contains("id")) return;
  mcp::RpcError cannot = {
      mcp::kMethodNotFound,
      "this client accepts no event stream, so it cannot be asked", Json()};
  Tell(DumpJson(mcp::MakeError(message["id"], cannot)));
}

// Translates the ids of the server's requests, which are valid only on one
// connection.
void Post::Translate(Json* message) {
  if (message->contains("id")) {
    (*message)["id"] = endpoint_->Ask(this, (*message)["id"]);
  } else if ((*message)["method"] == "notifications/cancelled") {
    Json* id = &(*message)["params"]["requestId"];
    *id = endpoint_->TakeBack(this, *id);
  }
}

void Post::TakeAnswer(const Json& answer, const std::string& line) {
  endpoint_->Agreed(this, answer);
  if (stream_ != nullptr) {
    StreamEvent(line);
    return End();
  }
  http::Response reply = {.status = StatusOf(answer, era_),
                          .type = "application/json",
                          .body = line};
  if (message_.method == "initialize" && reply.status == 200 &&
      FindMember(answer, "result") != nullptr) {
    reply.headers = {{"Mcp-Session-Id", endpoint_->BeginSession(this)}};
  }
  exchange_->Reply(reply);
  exchange_.reset();
  End();
}

void Post::Lost(bool was_read) {
  if (over_ || (!was_read && RequestAgain())) return;
  // A stream that only listens waits for no answer.
  if (!listens_) {
    std::string why(was_polite_ ? wire::kStoppedText : wire::kDiedText);
    TakeLine(DumpJson(
        mcp::MakeError(message_.id, {mcp::kInternalError, why, Json()})));
  }
  End();
}

// Sends the request to another server, because the previous server has not
// begun it.
bool Post::RequestAgain() {
  if (line_.empty() || ++losses_ > kMostLosses) return false;
  UniqueFd server = endpoint_->connect_(true);
  if (!server.valid()) return false;
  Join(std::move(server));
  server_->Send(line_);
  return true;
}

// ---- to the client

void Post::StreamEvent(const std::string& line) {
  stream_->Send("event: message\ndata: " + line + "\n\n");
  server_->Pause(true);
}

// Returns false if the client accepts no events.
bool Post::BeginStream() {
  if (stream_ != nullptr) return true;
  std::string accept = exchange_->request().Header("accept");
  if (accept.find("text/event-stream") == std::string::npos) return false;
  stream_ = exchange_->Stream({.type = "text/event-stream",
                               .headers = {{"Cache-Control", "no-cache"},
                                           {"X-Accel-Buffering", "no"}}});
  exchange_.reset();
  stream_->OnChange([this] {
    if (stream_->closed()) return End();
    server_->Pause(!stream_->idle());
  });
  timer_.SetAfter(kPing);
  return true;
}

void Post::Tick() {
  if (over_) return;
  if (stream_ == nullptr) {
    // The headers of the answer to `initialize` contain the session, so they
    // cannot be sent before the answer.
    if (message_.method != "initialize") BeginStream();
    return;
  }
  stream_->Send(":\n\n");
  timer_.SetAfter(kPing);
}

void Post::End() {
  if (std::exchange(over_, true)) return;
  timer_.Clear();
  if (exchange_ != nullptr && cancelled_) exchange_->Reply({.status = 204});
  endpoint_->Remove(this);
}

}  // namespace glasstty::bridge
